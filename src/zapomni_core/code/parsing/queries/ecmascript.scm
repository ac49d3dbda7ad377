[(function_declaration) (generator_function_declaration)] @def.function
(method_definition) @def.method
(variable_declarator name: (identifier) value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(variable_declarator name: (identifier) value: (class)) @def.class
(assignment_expression left: [(identifier) (member_expression)] right: [(arrow_function) (function_expression) (generator_function)]) @def.function
(assignment_expression left: [(identifier) (member_expression)] right: (class)) @def.class
(pair key: (property_identifier) value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(pair key: (property_identifier) value: (class)) @def.class
(export_statement value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(export_statement value: (class)) @def.class
(variable_declarator name: (identifier) value: (object)) @object
(variable_declarator name: (identifier) value: (call_expression function: (member_expression object: (identifier)) arguments: (arguments . (object) .))) @object
(export_statement value: [(new_expression) (call_expression)] @default)
(decorator) @decorator
(call_expression function: [(identifier) (member_expression)] @call)
(new_expression constructor: [(identifier) (member_expression)] @call)
(call_expression function: (import) arguments: (arguments . (string))) @dynamic
(import_statement) @import
(export_statement source: (string)) @import
(export_statement (export_clause)) @exports
(export_statement value: (identifier)) @exports
(export_statement "default" declaration: (_)) @exports
(assignment_expression left: (member_expression object: (identifier) property: (property_identifier)) right: [(object) (identifier) (class) (arrow_function) (function_expression) (generator_function)]) @exported
(variable_declarator value: (call_expression function: (identifier) arguments: (arguments . (string) .))) @require
(variable_declarator value: (member_expression object: (call_expression function: (identifier) arguments: (arguments . (string) .)))) @require
(variable_declarator name: (identifier)) @bind
(assignment_expression left: [(identifier) (member_expression object: (this))]) @bind
(for_in_statement left: (identifier)) @each
(variable_declarator name: [(object_pattern) (array_pattern)]) @unpacked
(arguments [(arrow_function) (function_expression)] @callback)
(return_statement (_) @return)
(arrow_function body: (_) @given)
