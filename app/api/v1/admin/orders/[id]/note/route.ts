import { endpoint } from "@/lib/platform/api/endpoint";
import { addNote } from "@/lib/staff/notes/add-note";
import { NoteAdded, NoteInput, NoteParams } from "@/lib/staff/notes/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Write a note about an order",
    description:
      "Notes are seen by staff only and never changed. A note that contains an activation code is refused.",
    access: staff("notes.write"),
    params: NoteParams,
    body: NoteInput,
    result: NoteAdded,
    errors: ["order_unknown", "note_has_code"],
  },
  ({ viewer, params, body }) => addNote(viewer, "order", params.id, body.text),
);
