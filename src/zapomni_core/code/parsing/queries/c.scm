(function_definition) @def.function
(struct_specifier name: (_) body: (_)) @def.struct
(union_specifier name: (_) body: (_)) @def.union
(enum_specifier name: (_) body: (_)) @def.enum
(type_definition declarator: (_)) @def.type
[(preproc_function_def) (preproc_def)] @def.macro
(call_expression function: [(identifier) (field_expression) (parenthesized_expression (identifier))] @call)
(preproc_include) @import
[(ERROR) (MISSING)] @error
