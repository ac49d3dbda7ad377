; inherits: ecmascript
; inherits: jsx
(class_declaration) @def.class
(field_definition property: (_) value: [(arrow_function) (function_expression)]) @def.method
(field_definition property: (_)) @field
