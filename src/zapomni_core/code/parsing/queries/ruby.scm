[(method) (singleton_method) (alias)] @def.method
(class) @def.class
(module) @def.module
(call method: [(identifier) (constant)]) @call
(call !receiver method: (identifier) arguments: (argument_list . (string))) @import
(assignment left: (identifier) @variable)
(assignment left: (constant)) @constant
(operator_assignment left: (identifier) @variable)
(left_assignment_list (identifier) @variable)
(rest_assignment (identifier) @variable)
(destructured_left_assignment (identifier) @variable)
[(method_parameters (identifier) @variable) (block_parameters (identifier) @variable) (lambda_parameters (identifier) @variable) (destructured_parameter (identifier) @variable)]
[(optional_parameter name: (identifier) @variable) (keyword_parameter name: (identifier) @variable) (splat_parameter name: (identifier) @variable) (hash_splat_parameter name: (identifier) @variable) (block_parameter name: (identifier) @variable)]
(exception_variable (identifier) @variable)
(for pattern: (identifier) @variable)
[(array_pattern (identifier) @variable) (in_clause pattern: (identifier) @variable) (keyword_pattern value: (identifier) @variable) (as_pattern name: (identifier) @variable)]
[(body_statement (identifier) @bare) (block_body (identifier) @bare) (then (identifier) @bare) (else (identifier) @bare) (ensure (identifier) @bare) (do (identifier) @bare) (parenthesized_statements (identifier) @bare) (argument_list (identifier) @bare)]
(assignment right: (identifier) @bare)
(if_modifier [body: (identifier) @bare condition: (identifier) @bare])
(unless_modifier [body: (identifier) @bare condition: (identifier) @bare])
(if condition: (identifier) @bare)
(unless condition: (identifier) @bare)
(binary (identifier) @bare)
(unary (identifier) @bare)
(super) @super
