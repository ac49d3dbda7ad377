[(class_definition) (mixin_declaration) (extension_declaration)] @def.class
(enum_declaration) @def.enum
(type_alias) @def.type
[(function_signature) (getter_signature) (setter_signature)] @def.function
[(constructor_signature) (factory_constructor_signature)] @def.method
(function_body) @body
(selector (argument_part)) @called
[(new_expression (type_identifier) @call) (const_object_expression (type_identifier) @call)]
(import_or_export) @import
