[(function_item) (function_signature_item)] @def.function
(struct_item) @def.struct
(enum_item) @def.enum
(union_item) @def.union
(trait_item) @def.interface
[(type_item) (associated_type)] @def.type
(mod_item) @def.module
(macro_definition) @def.macro
(impl_item) @region
(call_expression function: [(identifier) (field_expression) (scoped_identifier)] @call)
(call_expression function: (generic_function function: [(identifier) (field_expression) (scoped_identifier)] @call))
(macro_invocation macro: [(identifier) (scoped_identifier)] @call)
(token_tree [(identifier) (primitive_type)] @quoted . (token_tree))
[(use_declaration) (extern_crate_declaration)] @import
(let_declaration pattern: (identifier)) @let
(type_parameter name: (_) bounds: (_)) @bounded
(where_predicate left: (type_identifier) bounds: (_)) @bounded
(field_declaration) @field
[(static_item) (const_item)] @field
(for_expression pattern: (identifier)) @each
(struct_item body: (ordered_field_declaration_list) @places)
[(tuple_struct_pattern) (struct_pattern)] @pattern
(enum_variant body: (ordered_field_declaration_list)) @variant
(closure_expression) @closure
