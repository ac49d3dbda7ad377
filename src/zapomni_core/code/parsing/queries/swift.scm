(class_declaration) @def.class
(protocol_declaration) @def.interface
(function_declaration) @def.function
[(protocol_function_declaration) (init_declaration)] @def.method
(typealias_declaration) @def.type
(call_expression . [(simple_identifier) (navigation_expression)] @call)
(call_expression . (prefix_expression operation: [(bang) "-" "~"] target: (simple_identifier) @call))
(import_declaration) @import
(property_declaration) @var
(parameter) @parameter
