(call target: (identifier) . (arguments)) @keyword
(call target: [(identifier) (dot right: (identifier))] @call)
