// Read paths from stdin, one a line, and print what Go's own type checker binds calls to:
// {path, calls: [name, line, targets]}, where targets are [path, line, name] of declarations in
// these files, none if they are in the standard library, and null if nobody knows.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

var (
	files   = token.NewFileSet()
	root    string
	modules = map[string]string{} // folder -> import path
	// folder -> package name -> files
	folders  = map[string]map[string][]*ast.File{}
	paths    = map[*ast.File]string{}
	checked  = map[string]*types.Package{}
	standard types.ImporterFrom
	errGone  = errors.New("not here")
	module   = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)
)

func main() {
	root, _ = filepath.Abs(os.Args[1])
	build.Default.CgoEnabled = false
	standard = importer.ForCompiler(files, "source", nil).(types.ImporterFrom)
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		take(input.Text())
	}
	out := json.NewEncoder(os.Stdout)
	for _, folder := range sorted(folders) {
		own := map[string]*types.Package{}
		// Tests of a package from outside come behind it.
		for _, name := range sorted(folders[folder]) {
			info := &types.Info{
				Uses:       map[*ast.Ident]types.Object{},
				Selections: map[*ast.SelectorExpr]*types.Selection{},
			}
			path := importPath(folder)
			if found := check(path, folders[folder][name], info, own); !strings.HasSuffix(name, "_test") {
				own[path] = found
			}
			for _, file := range folders[folder][name] {
				out.Encode(map[string]any{"path": paths[file], "calls": calls(file, info)})
			}
		}
	}
}

func take(path string) {
	whole := filepath.Join(root, path)
	folder := filepath.Dir(path)
	if filepath.Base(path) == "go.mod" {
		text, _ := os.ReadFile(whole)
		if found := module.FindSubmatch(text); found != nil {
			modules[folder] = string(found[1])
		}
		return
	}
	if fits, _ := build.Default.MatchFile(filepath.Dir(whole), filepath.Base(whole)); !fits {
		return // of another platform
	}
	file, err := parser.ParseFile(files, whole, nil, 0)
	if err != nil {
		return
	}
	paths[file] = path
	if folders[folder] == nil {
		folders[folder] = map[string][]*ast.File{}
	}
	folders[folder][file.Name.Name] = append(folders[folder][file.Name.Name], file)
}

func importPath(folder string) string {
	for around := folder; ; around = filepath.Dir(around) {
		if path, known := modules[around]; known {
			rest, _ := filepath.Rel(around, folder)
			return strings.TrimSuffix(path+"/"+filepath.ToSlash(rest), "/.")
		}
		if around == "." || around == "/" {
			return folder
		}
	}
}

type packages struct{ own map[string]*types.Package }

func (known packages) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if found := known.own[path]; found != nil {
		return found, nil
	}
	for folder := range folders {
		if importPath(folder) == path {
			return load(path, folder)
		}
	}
	if strings.Contains(strings.Split(path, "/")[0], ".") {
		return nil, errGone
	}
	return standard.ImportFrom(path, root, 0)
}

func load(path, folder string) (*types.Package, error) {
	if found, known := checked[folder]; known {
		if found == nil {
			return nil, errGone
		}
		return found, nil
	}
	checked[folder] = nil
	some := []*ast.File{}
	for name, listed := range folders[folder] {
		for _, file := range listed {
			if !strings.HasSuffix(paths[file], "_test.go") && (name != "main" || len(folders[folder]) == 1) {
				some = append(some, file)
			}
		}
	}
	if len(some) == 0 {
		return nil, errGone
	}
	checked[folder] = check(path, some, nil, nil)
	return checked[folder], nil
}

func check(path string, some []*ast.File, info *types.Info, own map[string]*types.Package) *types.Package {
	configuration := types.Config{
		Importer:         packages{own},
		FakeImportC:      true,
		IgnoreFuncBodies: info == nil,
		Error:            func(error) {}, // packages of others are missing
	}
	found, _ := configuration.Check(path, files, some, info)
	return found
}

func calls(file *ast.File, info *types.Info) [][]any {
	found := [][]any{}
	ast.Inspect(file, func(node ast.Node) bool {
		if call, is := node.(*ast.CallExpr); is {
			if name := called(call.Fun); name != nil {
				line := files.Position(name.Pos()).Line
				found = append(found, []any{name.Name, line, targets(call.Fun, name, info)})
			}
		}
		return true
	})
	return found
}

func called(function ast.Expr) *ast.Ident {
	switch found := function.(type) {
	case *ast.ParenExpr:
		return called(found.X)
	case *ast.IndexExpr:
		return called(found.X)
	case *ast.IndexListExpr:
		return called(found.X)
	case *ast.SelectorExpr:
		return found.Sel
	case *ast.Ident:
		return found
	}
	return nil
}

func targets(function ast.Expr, name *ast.Ident, info *types.Info) any {
	meant := info.Uses[name]
	if selector, is := function.(*ast.SelectorExpr); is {
		if selected := info.Selections[selector]; selected != nil {
			meant = selected.Obj()
		}
	}
	switch found := meant.(type) {
	case *types.Builtin:
		return []any{}
	case *types.Func:
		return place(found.Origin())
	case *types.TypeName:
		return place(found)
	}
	return nil // a variable that holds a function, or something of a package that is missing
}

func place(of types.Object) any {
	if of.Pkg() == nil || !of.Pos().IsValid() {
		return []any{}
	}
	at := files.Position(of.Pos())
	path, err := filepath.Rel(root, at.Filename)
	if err != nil || strings.HasPrefix(path, "..") {
		return []any{}
	}
	return [][]any{{filepath.ToSlash(path), at.Line, of.Name()}}
}

func sorted[T any](of map[string]T) []string {
	names := []string{}
	for name := range of {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
