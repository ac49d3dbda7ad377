; inherits: c
(class_specifier name: (_) body: (_)) @def.class
(namespace_definition name: (_)) @def.module
(alias_declaration) @def.type
(concept_definition) @def.type
(call_expression function: [(qualified_identifier) (template_function)] @call)
(new_expression type: [(type_identifier) (qualified_identifier) (template_type)] @call)
(declaration declarator: (init_declarator declarator: [(identifier) (qualified_identifier)] value: [(argument_list) (initializer_list)]) @made)
(compound_statement (declaration declarator: (function_declarator declarator: (identifier) parameters: (parameter_list . (parameter_declaration . type: (type_identifier) .))) @made))
(field_declaration declarator: (field_identifier) default_value: (initializer_list)) @made
[(field_declaration) (declaration)] @var
(for_range_loop) @each
