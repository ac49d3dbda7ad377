(function_definition) @def.function
(class_definition) @def.class
(decorated_definition) @decorated
(call function: [(identifier) (attribute) (parenthesized_expression [(identifier) (attribute)])] @call)
(call function: (list_splat [(identifier) (attribute)] @call))
(type_alias_statement) @alias
[(import_statement) (import_from_statement) (future_import_statement)] @import
(assignment left: [(identifier) (attribute object: (identifier)) (pattern_list) (tuple_pattern)]) @bind
(named_expression) @walrus
(for_statement left: [(identifier) (pattern_list) (tuple_pattern)]) @each
(for_in_clause left: [(identifier) (pattern_list) (tuple_pattern)]) @each
(with_item (as_pattern alias: (as_pattern_target [(identifier) (tuple)])) @enter)
(except_clause (as_pattern alias: (as_pattern_target (identifier))) @caught)
(call function: [(call) (subscript)] @called)
(return_statement . (_) @return)
(yield . (_) @yield)
(raise_statement . [(identifier) (call function: (identifier))] @raised)
(lambda parameters: (lambda_parameters)) @lambda
(case_pattern (dotted_name . (identifier) @captured .))
(case_pattern (as_pattern (identifier) @captured .))
(keyword_pattern (identifier) (dotted_name . (identifier) @captured .))
(splat_pattern (identifier) @captured)
(ERROR) @error
