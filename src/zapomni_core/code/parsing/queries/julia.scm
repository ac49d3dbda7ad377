(module_definition) @def.module
(function_definition) @def.function
(assignment . (call_expression)) @def.function
(macro_definition) @def.macro
(struct_definition) @def.struct
(abstract_definition) @def.type
(call_expression . [(identifier) (field_expression)] @call)
[(using_statement) (import_statement)] @import
