/** Where expressions differ from the published cases on purpose: by reason, the names of the cases. */
export const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  "A name, a function or an operand that can never work is refused at deployment, even where the result would not need it":
    [
      "basic/variables/unbound_is_runtime_error",
      "basic/functions/unbound_is_runtime_error",
      "logic/AND/short_circuit_type_left",
      "logic/AND/short_circuit_type_right",
      "logic/OR/short_circuit_type_left",
      "logic/OR/short_circuit_type_right",
    ],
  "Integers and doubles compare exactly: 2^63 - 1 is less than 2^63, which the cases take for the same": [
    "comparisons/lt_literal/not_lt_dyn_int_big_lossy_double",
    "comparisons/gt_literal/not_gt_dyn_big_double_int",
    "comparisons/lte_literal/lte_dyn_big_double_int",
    "comparisons/gte_literal/gte_dyn_int_big_lossy_double",
  ],
  "Numbers of JSON are doubles, so doubles have a remainder": ["fp_math/fp_math/mod_not_support"],
  "`.?` is empty wherever `.` would fail, so that one of them is enough in a path through null": [
    "optionals/optionals/map_null_entry_no_such_key",
    "optionals/optionals/map_present_key_invalid_field",
  ],
  "Optionals have no type to compare with": ["optionals/optionals/type"],
  "Instants have milliseconds, and are written with three digits of them, as everywhere in the API": [
    "timestamps/timestamp_conversions/toString_timestamp",
    "timestamps/timestamp_conversions/toString_timestamp_nanos",
    "timestamps/timestamp_arithmetic/add_time_to_duration_nanos_positive",
    "timestamps/timestamp_range/add_duration_nanos_over",
  ],
};
