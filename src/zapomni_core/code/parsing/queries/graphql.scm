(object_type_definition) @def.class
(interface_type_definition) @def.interface
(enum_type_definition) @def.enum
[(input_object_type_definition) (scalar_type_definition)] @def.type
(union_type_definition) @def.union
