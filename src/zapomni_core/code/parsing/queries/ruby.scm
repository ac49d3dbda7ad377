[(method) (singleton_method) (alias)] @def.method
(class) @def.class
(module) @def.module
(call method: [(identifier) (constant)]) @call
(call !receiver method: (identifier) arguments: (argument_list . (string))) @import
