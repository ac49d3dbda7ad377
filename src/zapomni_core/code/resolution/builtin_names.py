"""Names that belong to the languages themselves."""

from __future__ import annotations

import builtins
from typing import Final

__all__ = [
    "CELLS",
    "CELL_METHODS",
    "CONTAINERS",
    "ELEMENT_METHODS",
    "FUNCTION_TYPES",
    "PRIMITIVES",
    "SAME_METHODS",
    "is_builtin",
    "is_builtin_method",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PYTHON_TYPES: Final = (
    str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range, slice,
    memoryview, type, object, BaseException, property,
)  # fmt: skip
_MORE_PYTHON_METHODS: Final = _words(
    "read write close flush seek tell readline readlines writelines fileno isatty getvalue "
    "acquire release wait notify start join run cancel result put send throw match search "
    "fullmatch group groups sub findall finditer total_seconds isoformat strftime appendleft "
    "popleft move_to_end most_common info debug warning error exception critical log"
)
_METHODS: Final = {
    "python": frozenset(name for kind in _PYTHON_TYPES for name in dir(kind))
    | _MORE_PYTHON_METHODS,
    "javascript": _words(
        "push pop shift unshift slice splice concat join reverse sort map filter reduce "
        "reduceRight forEach some every find findIndex findLast includes indexOf lastIndexOf "
        "fill flat flatMap keys values entries at has get set add delete clear then catch finally "
        "call apply bind toString valueOf hasOwnProperty charAt charCodeAt codePointAt split "
        "replace replaceAll match matchAll test exec trim trimStart trimEnd padStart padEnd "
        "startsWith endsWith toLowerCase toUpperCase substring substr repeat toFixed getTime "
        "toISOString on once emit off removeListener addListener addEventListener log error warn "
        "info next return throw resolve reject all stringify parse write end pipe read close "
        "assign freeze create localeCompare normalize toLocaleString toJSON"
    ),
    "go": _words(
        "Error String Close Read Write Lock Unlock RLock RUnlock Add Done Wait Len Less Swap "
        "Format Print Printf Println Errorf Fatal Fatalf Log Logf Run Helper Bytes Reset Flush "
        "WriteString ReadAll Get Set Header Next Err Value Scan"
    ),
    "java": _words(
        "equals hashCode toString getClass notify notifyAll wait clone get set put add remove "
        "contains containsKey size isEmpty iterator next hasNext length charAt substring indexOf "
        "append valueOf parse format close read write flush name ordinal compareTo compare apply "
        "accept test run call getName getKey getValue keySet values entrySet stream map filter "
        "collect forEach join split trim clear addAll start length build of"
    ),
    "rust": _words(
        "new default clone fmt from into try_from try_into as_ref as_mut as_str as_bytes "
        "to_string to_owned to_vec unwrap unwrap_or unwrap_or_else unwrap_or_default expect map "
        "map_err and_then or_else ok err ok_or ok_or_else is_some is_none is_ok is_err iter "
        "iter_mut into_iter next collect push pop insert remove get get_mut len is_empty "
        "contains contains_key extend drain clear filter fold find any all zip enumerate rev "
        "take skip chain join split trim parse eq ne cmp partial_cmp hash borrow borrow_mut lock "
        "read write flush send recv poll deref drop add sub mul div neg not index call as_slice "
        "starts_with ends_with replace chars bytes lines sort sort_by min max sum count last "
        "first position copied cloned flatten flat_map as_deref keys values entry or_insert "
        "or_insert_with append truncate source to_lowercase"
    ),
}
_METHODS["typescript"] = _METHODS["tsx"] = _METHODS["javascript"]
# A language without a table of its own: what some type of some other language offers.
_ANY_METHOD: Final = frozenset().union(*_METHODS.values())
# Languages that are known less well: what is theirs, beside what others offer.
_MORE_METHODS: Final = {
    "csharp": _words(
        "ToString Equals GetHashCode GetType CompareTo CopyTo AddRange Remove RemoveAt "
        "RemoveAll RemoveRange Insert InsertRange Clear Contains ContainsKey ContainsValue "
        "TryGetValue TryAdd GetValueOrDefault IndexOf LastIndexOf ToArray ToList ToDictionary "
        "ToHashSet ToLookup Select SelectMany Where OrderBy OrderByDescending ThenBy "
        "ThenByDescending GroupBy Zip Any All Count Sum Min Max MinBy MaxBy Average Aggregate "
        "First FirstOrDefault Last LastOrDefault Single SingleOrDefault ElementAt "
        "ElementAtOrDefault Skip SkipWhile Take TakeWhile Distinct DistinctBy Intersect Except "
        "Concat Append Prepend Reverse Cast OfType AsEnumerable AsQueryable DefaultIfEmpty "
        "SequenceEqual ForEach Find FindAll FindIndex FindLast Exists TrueForAll ConvertAll "
        "Sort BinarySearch Push Pop Peek Enqueue Dequeue TryDequeue TryPop TryPeek "
        "GetEnumerator MoveNext Substring Split Trim TrimStart TrimEnd Replace StartsWith "
        "EndsWith ToLower ToUpper ToLowerInvariant ToUpperInvariant ToCharArray PadLeft "
        "PadRight AppendLine AppendFormat TryParse Invoke ConfigureAwait GetAwaiter GetResult "
        "ContinueWith Dispose DisposeAsync HasFlag AsSpan Slice AddDays AddHours AddMinutes "
        "AddSeconds AddMilliseconds AddMonths AddYears"
    ),
    "kotlin": _words(
        "let also with use takeIf takeUnless to toByte toShort toInt toLong toFloat toDouble "
        "toChar toBoolean toUInt toULong toIntOrNull toLongOrNull toFloatOrNull toDoubleOrNull "
        "toBooleanStrictOrNull toBigDecimal toBigInteger toRegex toList toMutableList toSet "
        "toMutableSet toHashSet toMap toMutableMap toSortedMap toSortedSet toPair toTypedArray "
        "toByteArray toCharArray toIntArray toLongArray asSequence asIterable asList asReversed "
        "isNotEmpty isBlank isNotBlank isNullOrEmpty isNullOrBlank orEmpty ifEmpty ifBlank "
        "firstOrNull firstNotNullOf firstNotNullOfOrNull lastOrNull single singleOrNull "
        "elementAt elementAtOrNull elementAtOrElse getOrNull getOrElse getOrPut getOrDefault "
        "getOrThrow mapNotNull mapIndexed mapIndexedNotNull mapTo mapNotNullTo mapKeys "
        "mapValues mapKeysTo mapValuesTo flatMapTo flatMapIndexed filterNot filterNotNull "
        "filterIsInstance filterIndexed filterKeys filterValues filterTo filterNotTo "
        "forEachIndexed onEach onEachIndexed foldRight foldIndexed reduceOrNull reduceIndexed "
        "runningFold runningReduce none sumOf sumBy maxOf minOf maxOrNull minOrNull maxBy minBy "
        "maxByOrNull minByOrNull maxOfOrNull minOfOrNull sorted sortedBy sortedByDescending "
        "sortedDescending sortedWith sortBy sortByDescending sortWith sortDescending reversed "
        "reversedArray distinct distinctBy groupBy groupByTo groupingBy eachCount associate "
        "associateBy associateWith associateTo associateByTo zipWithNext unzip windowed chunked "
        "joinToString joinTo takeLast takeWhile takeLastWhile dropLast dropWhile dropLastWhile "
        "plus minus times rem plusAssign minusAssign containsValue containsAll withIndex "
        "indexOfFirst indexOfLast removeAll removeIf removeAt removeFirst removeLast "
        "removeFirstOrNull removeLastOrNull retainAll putAll putIfAbsent computeIfAbsent "
        "computeIfPresent subList sliceArray copyOf copyOfRange copyInto shuffled until rangeTo "
        "downTo rangeUntil coerceIn coerceAtLeast coerceAtMost inc dec and or xor inv shl shr "
        "ushr floorDiv mod pow roundToInt roundToLong isNaN isInfinite isFinite substringBefore "
        "substringAfter substringBeforeLast substringAfterLast removePrefix removeSuffix "
        "removeSurrounding removeRange trimIndent trimMargin lineSequence lowercase uppercase "
        "replaceFirst replaceFirstChar replaceBefore replaceAfter replaceRange decapitalize "
        "prependIndent matches containsMatchIn matchEntire isDigit isLetter isLetterOrDigit "
        "isWhitespace isUpperCase isLowerCase digitToInt digitToIntOrNull lowercaseChar "
        "uppercaseChar encodeToByteArray decodeToString contentEquals contentHashCode "
        "contentToString component1 component2 component3 component4 component5 listIterator "
        "hasPrevious isSuccess isFailure onSuccess onFailure exceptionOrNull regionMatches "
        "commonPrefixWith commonSuffixWith buffered readText writeText readLines readBytes "
        "writeBytes appendLine appendText useLines forEachLine bufferedReader bufferedWriter"
    ),
    "php": _words(
        "getMessage getCode getPrevious getFile getLine getTrace getTraceAsString modify "
        "setTimestamp getTimestamp setTimezone getTimezone diff rewind offsetGet offsetSet "
        "offsetExists offsetUnset getIterator getArrayCopy bindTo fetchAll fetchColumn "
        "fetchObject bindValue bindParam lastInsertId beginTransaction rollBack jsonSerialize "
        "newInstance newInstanceArgs getShortName"
    ),
    "ruby": _words(
        "nil? empty? any? all? none? one? include? member? key? has_key? value? has_value? "
        "start_with? end_with? match? is_a? kind_of? instance_of? respond_to? eql? equal? zero? "
        "nonzero? positive? negative? even? odd? between? frozen? finite? infinite? nan? "
        "integer? cover? casecmp casecmp? ascii_only? valid_encoding? exist? file? directory? "
        "subset? superset? disjoint? intersect? blank? present? to_s to_i to_f to_a to_h to_r "
        "to_c to_sym to_str to_ary to_hash to_proc to_set to_enum to_json inspect dup tap "
        "yield_self itself public_send __send__ instance_variable_get instance_variable_set "
        "instance_variable_defined? instance_variables instance_eval class_eval module_eval "
        "instance_exec class_exec define_method define_singleton_method remove_method "
        "method_defined? instance_method instance_methods singleton_class object_id each "
        "each_with_index each_with_object each_pair each_key each_value each_slice each_cons "
        "each_char each_line each_byte each_index each_entry reverse_each with_index "
        "with_object map! collect! collect_concat select select! filter! filter_map reject! "
        "group_by chunk_while slice_when sort! sort_by! min_by max_by minmax minmax_by inject "
        "detect find_all find_index take_while drop_while prepend delete_at delete_if keep_if "
        "compact compact! flatten! uniq uniq! reverse! shuffle shuffle! transpose values_at "
        "tally dig fetch fetch_values merge! deep_merge transform_values transform_values! "
        "transform_keys transform_keys! symbolize_keys stringify_keys deep_symbolize_keys "
        "invert except slice! merge bsearch combination permutation upcase upcase! downcase "
        "downcase! capitalize! strip! lstrip! rstrip! chomp chomp! chop chop! squeeze squeeze! "
        "gsub gsub! sub! tr tr_s delete_prefix delete_suffix each_grapheme_cluster scan "
        "codepoints bytesize byteslice unpack unpack1 pack force_encoding unicode_normalize "
        "scrub succ pred ord chr oct intern times upto downto floor ceil abs divmod modulo "
        "remainder fdiv pow gcd lcm digits clamp curry arity allocate ancestors superclass "
        "const_get const_set const_defined? constants const_missing backtrace set_backtrace "
        "full_message named_captures captures pre_match post_match"
    ),
    "scala": _words(
        "nonEmpty isDefined foreach foldLeft foldRight reduceLeft reduceOption reduceLeftOption "
        "scanLeft withFilter filterNot collectFirst exists forall head headOption tail "
        "lastOption takeWhile takeRight dropWhile dropRight splitAt span partitionMap groupBy "
        "groupMap groupMapReduce zipWithIndex zipAll unzip unzip3 mkString addString toList "
        "toSeq toSet toMap toVector toArray toBuffer toIndexedSeq toIterator toStream toInt "
        "toLong toFloat toDouble toShort toByte toChar toBoolean toIntOption toLongOption "
        "toDoubleOption toBooleanOption toOption toRight toLeft getOrElse getOrElseUpdate "
        "orElse orNull updated updatedWith removed appended prepended appendedAll prependedAll "
        "distinct distinctBy sorted sortBy sortWith minBy maxBy minOption maxOption minByOption "
        "maxByOption mapValues filterKeys indexWhere lastIndexWhere indexOfSlice containsSlice "
        "sameElements padTo grouped sliding combinations permutations transpose andThen "
        "stripPrefix stripSuffix stripMargin stripLineEnd replaceAllIn replaceFirst matches "
        "linesIterator isInstanceOf asInstanceOf recover recoverWith onComplete isSuccess "
        "isFailure toTry addOne subtractOne subtractAll knownSize corresponds diff intersect "
        "isLeft isRight isDigit isLetter isLetterOrDigit isWhitespace isUpper isLower until "
        "hasDefiniteSize synchronized productIterator productElement productArity"
    ),
    "swift": _words(
        "removeAll removeFirst removeLast removeValue removeSubrange popFirst popLast hasPrefix "
        "hasSuffix lowercased uppercased trimmingCharacters components replacingOccurrences "
        "replaceSubrange appending joined compactMap compactMapValues mapValues sorted shuffled "
        "shuffle reversed enumerated prefix suffix dropFirst dropLast firstIndex lastIndex "
        "firstRange allSatisfy formIndex distance swapAt updateValue merging formUnion "
        "formIntersection subtracting symmetricDifference isSubset isSuperset isDisjoint "
        "makeIterator reserveCapacity advanced elementsEqual starts lexicographicallyPrecedes "
        "randomElement withUnsafeBytes withUnsafeMutableBytes withUnsafePointer "
        "withUnsafeMutablePointer withUnsafeBufferPointer withUnsafeMutableBufferPointer "
        "withCString withMemoryRebound assumingMemoryBound bindMemory deallocate rounded "
        "isMultiple negate toggle squareRoot quotientAndRemainder multipliedReportingOverflow "
        "addingReportingOverflow subtractingReportingOverflow addingPercentEncoding "
        "localizedCaseInsensitiveContains caseInsensitiveCompare appendingPathComponent "
        "appendingPathExtension deletingLastPathComponent deletingPathExtension "
        "timeIntervalSince addingTimeInterval subdata"
    ),
}
_METHODS.update((language, _ANY_METHOD | own) for language, own in _MORE_METHODS.items())

_JAVASCRIPT_GLOBALS: Final = _words(
    "Array ArrayBuffer BigInt Boolean Buffer DataView Date Error EvalError Float32Array "
    "Float64Array Function Int16Array Int32Array Int8Array Intl JSON Map Math Number Object "
    "Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError "
    "TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array WeakMap WeakRef "
    "WeakSet clearImmediate clearInterval clearTimeout console decodeURI decodeURIComponent "
    "document encodeURI encodeURIComponent eval fetch globalThis isFinite isNaN parseFloat "
    "parseInt process queueMicrotask require setImmediate setInterval setTimeout "
    "structuredClone window"
)
_GLOBALS: Final = {
    "python": frozenset(dir(builtins)) | {"reveal_type", "__file__", "__name__"},
    "javascript": _JAVASCRIPT_GLOBALS,
    "typescript": _JAVASCRIPT_GLOBALS,
    "tsx": _JAVASCRIPT_GLOBALS,
    "go": _words(
        "append cap clear close complex copy delete imag len make max min new panic print println "
        "real recover bool byte error float32 float64 int int8 int16 int32 int64 rune string uint "
        "uint8 uint16 uint32 uint64 uintptr any"
    ),
    "java": _words(
        "String Object Integer Long Double Float Boolean Byte Short Character Number Math System "
        "Thread Runnable Class Enum Iterable Comparable Exception RuntimeException Error "
        "Throwable IllegalArgumentException IllegalStateException NullPointerException "
        "UnsupportedOperationException StringBuilder StringBuffer CharSequence Override "
        "boolean byte char double float int long short AutoCloseable Void Appendable "
        "ArithmeticException ArrayIndexOutOfBoundsException "
        "ArrayStoreException AssertionError ClassCastException ClassLoader "
        "ClassNotFoundException CloneNotSupportedException Cloneable Deprecated "
        "FunctionalInterface IllegalAccessException IndexOutOfBoundsException "
        "InheritableThreadLocal InstantiationException InterruptedException LinkageError "
        "NegativeArraySizeException NoClassDefFoundError NoSuchFieldException "
        "NoSuchMethodException NumberFormatException OutOfMemoryError Package Process "
        "ProcessBuilder Readable Record ReflectiveOperationException Runtime SafeVarargs "
        "SecurityException StackOverflowError StackTraceElement StrictMath SuppressWarnings "
        "ThreadGroup ThreadLocal VirtualMachineError getClass"
    ),
    "rust": _words(
        "Some None Ok Err Option Result Vec String Box Iterator IntoIterator Default Clone From "
        "Into ToString ToOwned AsRef Drop Fn FnMut FnOnce drop str u8 u16 u32 u64 u128 usize i8 "
        "i16 i32 i64 i128 isize f32 f64 bool char std core alloc vec format println eprintln "
        "print eprint panic assert assert_eq assert_ne debug_assert write writeln todo "
        "unimplemented unreachable matches dbg include_str concat env"
    ),
}
CONTAINERS: Final = _words(
    "list List tuple Tuple set Set frozenset FrozenSet Sequence MutableSequence Iterable Iterator "
    "Generator AsyncIterator AsyncIterable AsyncGenerator Collection deque Deque dict Dict "
    "Mapping MutableMapping defaultdict DefaultDict OrderedDict ContextManager "
    "AbstractContextManager AsyncContextManager ContextVar Queue Vec Array Option Result HashMap "
    "BTreeMap Map ArrayList LinkedList Collection Stream HashSet ReadonlyArray Stack "
    "WeakKeyDictionary WeakValueDictionary ChainMap slice map"
)
# Types of functions in Java that name what they take in their brackets, before what they give.
FUNCTION_TYPES: Final = _words("BiConsumer BiFunction BiPredicate Consumer Function Predicate")
# Methods of containers that give one of the elements.
ELEMENT_METHODS: Final = _words(
    "pop popleft get setdefault unwrap expect unwrap_or unwrap_or_default at find shift first "
    "last getFirst getLast remove peek next __next__ get_mut poll"
)


# Methods of containers of Rust that give a container of the same elements.
SAME_METHODS: Final = _words(
    "as_ref as_mut as_deref as_deref_mut take cloned copied clone ok ok_or ok_or_else map_err or "
    "or_else rev skip by_ref peekable chain to_vec drain as_slice as_mut_slice"
)
# What holds one thing, and the methods that give it.
CELLS: Final = _words("Cell Cow Mutex OnceCell OnceLock RefCell RwLock")
CELL_METHODS: Final = _words("as_ref borrow borrow_mut get_mut into_inner")
# Types of Rust to which a trait may give methods.
PRIMITIVES: Final = _words(
    "String bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 usize"
)


def is_builtin(language: str, name: str) -> bool:
    """Tell whether a name means something without any import."""
    return name in _GLOBALS.get(language, ())


def is_builtin_method(language: str, name: str) -> bool:
    """Tell whether objects of the language or its library commonly have such a method."""
    return name in _METHODS.get(language, _ANY_METHOD)
