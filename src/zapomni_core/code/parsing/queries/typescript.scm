; inherits: ecmascript
(variable_declarator name: (identifier) value: [(as_expression (object)) (satisfies_expression [(object) (as_expression (object))])]) @object
[(class_declaration) (abstract_class_declaration)] @def.class
(public_field_definition name: (_) value: [(arrow_function) (function_expression)]) @def.method
(public_field_definition) @field
(property_signature type: (_)) @field
(interface_declaration) @def.interface
(type_alias_declaration) @def.type
(enum_declaration) @def.enum
[(internal_module) (module)] @def.module
(function_signature) @def.function
[(abstract_method_signature) (method_signature)] @def.method
(required_parameter (accessibility_modifier) pattern: (identifier) type: (_)) @promoted
(required_parameter "readonly" pattern: (identifier) type: (_)) @promoted
(required_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) !type value: (_)) @promoted
(type_parameter name: (_) constraint: (_)) @bounded
(call_expression function: (non_null_expression [(identifier) (member_expression)] @call))
(call_expression function: (non_null_expression (unary_expression argument: [(identifier) (member_expression)] @call)))
(call_expression function: (await_expression [(identifier) (member_expression)] @call))
