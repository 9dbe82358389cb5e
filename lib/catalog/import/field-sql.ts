import { PLAIN_FIELD_NAMES, PLAIN_FIELDS } from "./rules-fields";

const COLUMN_TYPES = { text: "text", number: "int" };

/** SQL: the columns of the plain fields; `of` is the table's name with a dot. */
export const plainColumns = (of = ""): string => PLAIN_FIELD_NAMES.map((name) => of + name).join(", ");

/** SQL: the plain fields of rows in JSON. */
export const PLAIN_ROW = PLAIN_FIELD_NAMES.map(
  (name) => `${name} ${COLUMN_TYPES[PLAIN_FIELDS[name].type]}`,
).join(", ");

/** SQL: sets the plain fields to those of a row `r`. A product keeps its slug, by which it is found. */
export const SET_PLAIN = PLAIN_FIELD_NAMES.filter((name) => name !== "slug")
  .map((name) => `${name} = r.${name}`)
  .join(", ");
