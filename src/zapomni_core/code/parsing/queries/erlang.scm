(module_attribute name: (_) @package)
(fun_decl) @def.function
(call expr: (atom) @call)
(import_attribute) @import
