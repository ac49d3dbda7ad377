(function_definition) @def.function
(call function: [(identifier) (attribute)] @call)
(assignment left: (identifier)) @bind
