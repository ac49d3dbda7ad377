(header module: (_) @package)
[(function name: (variable)) (bind name: (variable))] @def.function
[(data_type) (newtype) (type_synomym)] @def.type
(class) @def.interface
(apply function: [(variable) (qualified)] @call)
(import) @import
