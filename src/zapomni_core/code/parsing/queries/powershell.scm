(function_statement) @def.function
(class_statement) @def.class
(class_method_definition) @def.method
(command command_name: (command_name) @call)
