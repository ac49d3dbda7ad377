(function_declaration) @def.function
(variable_declaration [(struct_declaration) (opaque_declaration)]) @def.struct
(variable_declaration (enum_declaration)) @def.enum
(variable_declaration (union_declaration)) @def.union
(call_expression function: [(identifier) (field_expression)] @call)
(call_expression function: (error_union_type !error ok: (identifier) @call))
(variable_declaration (builtin_function)) @import
