; inherits: c
(class_specifier name: (_) body: (_)) @def.class
(namespace_definition name: (_)) @def.module
(alias_declaration) @def.type
(concept_definition) @def.type
(call_expression function: [(qualified_identifier) (template_function)] @call)
(new_expression type: [(type_identifier) (qualified_identifier) (template_type)] @call)
[(field_declaration) (declaration)] @var
(for_range_loop) @each
