(contract_declaration) @def.class
(interface_declaration) @def.interface
(library_declaration) @def.module
(struct_declaration) @def.struct
(enum_declaration) @def.enum
[(function_definition) (modifier_definition)] @def.function
(call_expression function: (expression [(identifier) (member_expression)] @call))
(import_directive) @import
