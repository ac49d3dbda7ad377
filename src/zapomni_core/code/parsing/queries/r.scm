(binary_operator lhs: (_) operator: ["<-" "<<-" "="] rhs: (function_definition)) @def.function
(call function: [(identifier) (namespace_operator) (extract_operator)] @call)
(call function: (identifier)) @import
