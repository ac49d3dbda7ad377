(package_statement) @package
(function_definition) @def.function
(call_expression_with_bareword) @call
(method_invocation) @call
[(use_no_statement) (require_statement)] @import
