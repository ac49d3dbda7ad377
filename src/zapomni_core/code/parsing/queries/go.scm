(package_clause) @package
(function_declaration) @def.function
(method_declaration) @def.method
[(type_spec) (type_alias)] @def.type
(method_elem) @def.method
(call_expression function: [(identifier) (selector_expression)] @call)
(call_expression function: (parenthesized_expression [(identifier) (selector_expression)] @call))
(call_expression function: (index_expression operand: [(identifier) (selector_expression)] @call))
(call_expression function: (type_instantiation_expression type: [(type_identifier) (qualified_type)] @call))
(type_conversion_expression type: (generic_type type: [(type_identifier) (qualified_type)] @call))
(import_spec) @import
(short_var_declaration) @short
(var_spec) @var
(field_declaration name: (_)) @var
(field_declaration !name type: (_)) @embedded
(range_clause) @range
(type_switch_statement alias: (_)) @switch
(method_declaration receiver: (parameter_list (parameter_declaration name: (_)) @var))
