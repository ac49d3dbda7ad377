(namespace_definition) @package
(function_definition) @def.function
(method_declaration) @def.method
[(class_declaration) (trait_declaration)] @def.class
(interface_declaration) @def.interface
(enum_declaration) @def.enum
(function_call_expression function: [(name) (qualified_name) (relative_name)] @call)
[(member_call_expression name: (name)) (nullsafe_member_call_expression name: (name)) (scoped_call_expression name: (name))] @call
(object_creation_expression . [(name) (qualified_name)] @call)
(namespace_use_declaration) @import
(use_as_clause) @alias
[(property_declaration type: (_)) (property_promotion_parameter type: (_))] @field
(assignment_expression left: [(variable_name) (member_access_expression object: (variable_name))]) @bind
