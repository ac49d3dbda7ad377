(package) @package
(message) @def.struct
(enum) @def.enum
(service) @def.interface
(rpc) @def.method
(import) @import
