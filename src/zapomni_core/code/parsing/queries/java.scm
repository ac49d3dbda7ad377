(package_declaration) @package
(class_declaration) @def.class
(interface_declaration) @def.interface
(enum_declaration) @def.enum
(record_declaration) @def.class
(annotation_type_declaration) @def.interface
[(method_declaration) (constructor_declaration) (compact_constructor_declaration) (annotation_type_element_declaration)] @def.method
(method_invocation) @call
(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @call)
(object_creation_expression type: (generic_type [(type_identifier) (scoped_type_identifier)] @call))
(import_declaration) @import
[(field_declaration) (local_variable_declaration) (constant_declaration)] @var
(enhanced_for_statement) @each
(resource name: (_)) @each
(catch_formal_parameter) @caught
(instanceof_expression name: (_)) @pattern
(assignment_expression left: [(identifier) (field_access object: (this))]) @bind
(type_parameter (type_identifier) (type_bound)) @bounded
(explicit_constructor_invocation constructor: (_) @constructing)
(enum_constant) @constant
(lambda_expression) @lambda
(method_reference) @reference
