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
(function_declaration result: (parameter_list (parameter_declaration name: (_)) @var))
(method_declaration result: (parameter_list (parameter_declaration name: (_)) @var))
(func_literal parameters: (parameter_list [(parameter_declaration) (variadic_parameter_declaration)] @parameter))
(type_spec type: [(slice_type) (map_type) (array_type)] @underlying)
(receive_statement) @receive
[(block) (func_literal) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
 (communication_case) (expression_case) (type_case) (default_case)] @block
