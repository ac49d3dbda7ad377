(function_declaration) @def.function
(assignment_statement (variable_list . name: (_)) (expression_list . value: (function_definition))) @def.function
(assignment_statement (variable_list . name: (_)) (expression_list . value: (binary_expression right: (function_definition)))) @def.function
(field name: (identifier) value: [(function_definition) (binary_expression right: (function_definition))]) @def.function
(function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @call)
(assignment_statement (expression_list . value: (function_call))) @import
(chunk (function_call) @import)
