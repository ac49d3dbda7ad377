import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.JCTree.JCAnnotatedType;
import com.sun.tools.javac.tree.JCTree.JCClassDecl;
import com.sun.tools.javac.tree.JCTree.JCExpression;
import com.sun.tools.javac.tree.JCTree.JCExpressionStatement;
import com.sun.tools.javac.tree.JCTree.JCFieldAccess;
import com.sun.tools.javac.tree.JCTree.JCIdent;
import com.sun.tools.javac.tree.JCTree.JCMemberReference;
import com.sun.tools.javac.tree.JCTree.JCMethodDecl;
import com.sun.tools.javac.tree.JCTree.JCMethodInvocation;
import com.sun.tools.javac.tree.JCTree.JCNewClass;
import com.sun.tools.javac.tree.JCTree.JCTypeApply;
import com.sun.tools.javac.tree.JCTree.JCVariableDecl;
import com.sun.tools.javac.tree.TreeInfo;
import com.sun.tools.javac.tree.TreeScanner;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.StringJoiner;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Reads paths from stdin, one a line, and prints what javac binds calls to: {path, calls: [name,
 * line, targets]}, where targets are [path, line, name] of declarations in these files, none if
 * they are elsewhere, and null if nobody knows, as where a library is missing.
 */
public class Calls {
    private static final Map<Symbol, String> PLACES = new HashMap<>();
    private static Path root;

    public static void main(String[] arguments) throws Exception {
        root = Paths.get(arguments[0]).toRealPath();
        List<File> files = new ArrayList<>();
        Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
        while (input.hasNextLine()) files.add(root.resolve(input.nextLine()).toFile());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager =
            compiler.getStandardFileManager(found -> { }, null, StandardCharsets.UTF_8);
        List<String> options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW",
            "-XDshould-stop.at=ATTR", "-Xmaxerrs", "1", "-nowarn", "-implicit:none");
        JavacTask task = (JavacTask) compiler.getTask(null, manager, found -> { }, options, null,
            manager.getJavaFileObjectsFromFiles(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree unit : units) declare(unit);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : units) {
            Found found = new Found(unit, positions);
            found.scan((JCTree) unit);
            out.println("{\"path\":" + quoted(pathOf(unit)) + ",\"calls\":[" + found.calls + "]}");
        }
        out.flush();
    }

    private static void declare(CompilationUnitTree unit) throws Exception {
        String path = pathOf(unit);
        String text = unit.getSourceFile().getCharContent(true).toString();
        LineMap lines = unit.getLineMap();
        new TreeScanner() {
            private String owner = "";

            @Override
            public void visitClassDef(JCClassDecl node) {
                String around = owner;
                owner = node.name.toString();
                if (node.sym != null && !owner.isEmpty()) {
                    // The position is that of the word in front of the name.
                    int at = Math.max(text.indexOf(owner, node.pos), node.pos);
                    PLACES.put(node.sym, place(path, lines.getLineNumber(at), owner));
                }
                super.visitClassDef(node);
                owner = around;
            }

            @Override
            public void visitMethodDef(JCMethodDecl node) {
                boolean isWritten = (node.mods.flags & Flags.GENERATEDCONSTR) == 0;
                if (node.sym != null && isWritten) {
                    String name = isConstructor(node.sym) ? owner : node.name.toString();
                    PLACES.put(node.sym, place(path, lines.getLineNumber(node.pos), name));
                }
                super.visitMethodDef(node);
            }
        }.scan((JCTree) unit);
    }

    private static class Found extends TreeScanner {
        private final StringJoiner calls = new StringJoiner(",");
        private final CompilationUnitTree unit;
        private final SourcePositions positions;

        Found(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public void visitApply(JCMethodInvocation node) {
            put(node.meth, targetOf(TreeInfo.symbol(node.meth)));
            super.visitApply(node);
        }

        @Override
        public void visitVarDef(JCVariableDecl node) {
            if ((node.mods.flags & Flags.ENUM) != 0 && node.init instanceof JCNewClass made) {
                if (!made.args.isEmpty()) add(node.name.toString(), node.pos, made(made));
                scan(made.args);
                scan(made.def);
                return;
            }
            super.visitVarDef(node);
        }

        @Override
        public void visitNewClass(JCNewClass node) {
            JCTree named = node.clazz;
            while (true) {
                if (named instanceof JCTypeApply applied) named = applied.clazz;
                else if (named instanceof JCAnnotatedType noted) named = noted.underlyingType;
                else break;
            }
            put(named, made(node));
            super.visitNewClass(node);
        }

        @Override
        public void visitReference(JCMemberReference node) {
            String name = node.name.toString();
            add(name, positions.getEndPosition(unit, node) - 1, targetOf(node.sym));
            super.visitReference(node);
        }

        private void put(JCTree named, String targets) {
            if (named instanceof JCFieldAccess access) {
                String name = access.name.toString();
                add(name, positions.getEndPosition(unit, named) - name.length(), targets);
            } else if (named instanceof JCIdent ident && positions.getEndPosition(unit, named) > 0) {
                add(ident.name.toString(), positions.getStartPosition(unit, named), targets);
            }
        }

        private void add(String name, long at, String targets) {
            long line = unit.getLineMap().getLineNumber(at);
            calls.add("[" + quoted(name) + "," + line + "," + targets + "]");
        }
    }

    private static String made(JCNewClass node) {
        if (node.def == null) return targetOf(node.constructor);
        if (node.def.sym == null) return "null";
        List<Type> interfaces = node.def.sym.getInterfaces();
        if (!interfaces.isEmpty()) return known(interfaces.get(0).tsym);
        // What a class without a name hands on to the one that it is derived from.
        for (JCTree each : node.def.defs)
            if (each instanceof JCMethodDecl method && isConstructor(method.sym))
                for (JCTree statement : method.body.stats)
                    if (statement instanceof JCExpressionStatement expression
                        && expression.expr instanceof JCMethodInvocation call)
                        return targetOf(TreeInfo.symbol(call.meth));
        return "null";
    }

    private static String targetOf(Symbol symbol) {
        boolean isKnown = symbol instanceof Symbol.MethodSymbol && !symbol.kind.isResolutionError();
        if (!isKnown || symbol.owner == null || symbol.owner.type.isErroneous()) return "null";
        Symbol declared = symbol.baseSymbol();
        if (!PLACES.containsKey(declared) && isConstructor(declared)) declared = declared.owner;
        return known(declared);
    }

    private static String known(Symbol symbol) {
        String place = PLACES.get(symbol);
        if (place != null) return "[" + place + "]";
        return symbol.type == null || symbol.type.isErroneous() ? "null" : "[]";
    }

    private static boolean isConstructor(Symbol symbol) {
        return symbol != null && symbol.name.contentEquals("<init>");
    }

    private static String pathOf(CompilationUnitTree unit) {
        return root.relativize(Paths.get(unit.getSourceFile().toUri())).toString();
    }

    private static String place(String path, long line, String name) {
        return "[" + quoted(path) + "," + line + "," + quoted(name) + "]";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
