; inherits: c
[(class_interface) (class_implementation)] @def.class
(protocol_declaration) @def.interface
[(method_definition) (method_declaration)] @def.method
(message_expression) @call
