[(namespace_declaration) (file_scoped_namespace_declaration)] @package
(class_declaration) @def.class
(struct_declaration) @def.struct
(record_declaration) @def.class
(interface_declaration) @def.interface
(enum_declaration) @def.enum
(delegate_declaration) @def.type
[(operator_declaration) (method_declaration) (constructor_declaration) (destructor_declaration)] @def.method
(property_declaration) @def.property
(local_function_statement) @def.function
[(namespace_declaration) (file_scoped_namespace_declaration)] @def.module
(invocation_expression function: [(identifier) (member_access_expression) (conditional_access_expression) (generic_name)] @call)
(object_creation_expression type: (_) @call)
(using_directive) @import
(variable_declaration) @var
(foreach_statement) @each
