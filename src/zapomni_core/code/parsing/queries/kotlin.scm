(package_header) @package
(class_declaration) @def.class
(object_declaration) @def.class
(companion_object) @def.class
(function_declaration) @def.function
(secondary_constructor) @def.method
(type_alias) @def.type
(call_expression . [(identifier) (navigation_expression)] @call)
(call_expression . (unary_expression argument: (identifier) @call))
(import) @import
[(class_parameter) (parameter) (variable_declaration)] @var
