(package_clause) @package
[(class_definition) (object_definition)] @def.class
(trait_definition) @def.interface
(enum_definition) @def.enum
[(function_definition) (function_declaration)] @def.function
(type_definition) @def.type
(call_expression function: [(identifier) (field_expression)] @call)
(call_expression function: (generic_function function: [(identifier) (field_expression)] @call))
(instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @call)
(import_declaration) @import
[(class_parameter) (val_definition pattern: (identifier)) (var_definition pattern: (identifier))] @var
