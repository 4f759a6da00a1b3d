import classes from "./address-fields.module.css";

/** Class names of a text field of an address and its port, which stand in one row. */
export const addressFields = {
  row: classes["row"] ?? "",
  field: {
    root: classes["field"] ?? "",
    wrapper: classes["input"] ?? "",
    description: classes["hint"] ?? "",
    error: classes["error"] ?? "",
    input: "mono",
  },
} as const;
