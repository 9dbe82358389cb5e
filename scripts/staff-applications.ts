import { decideApplication } from "@/lib/merchants/commands";
import { findApplication, listApplications } from "@/lib/merchants/queries";
import {
  formatFields,
  formatTable,
  formatTime,
  optionText,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./staff-command";

async function decide({ args, options, actor }: StaffCall, state: "approved" | "refused") {
  const [id = ""] = args;
  const note = optionText(options.note);
  const decided = await decideApplication(id, { state, decidedBy: actor, ...(note && { note }) });
  if (!decided) throw new StaffCommandError(`There is no application ${id}.`);
  if (decided.state !== state)
    throw new StaffCommandError(`The application ${id} is ${decided.state} already.`);
  const isNew = decided.outcome === "decided";
  return {
    text: isNew
      ? `The application of ${decided.email} is ${state}; the applicant is notified by email.`
      : `The application of ${decided.email} was ${state} before; nothing was changed.`,
    json: { id, ...decided },
  };
}

/** Merchants' applications: read, approve, refuse (docs/product.md#813-merchants). */
export const applications: StaffNoun = {
  list: {
    usage: "[--all]",
    description: "lists the applications that wait for an answer, the oldest first; --all: decided ones too",
    args: 0,
    options: { all: { type: "boolean" } },
    async run({ options }) {
      const found = await listApplications({ all: options.all === true });
      const rows = found.map((application) => [
        application.id,
        application.state,
        formatTime(application.createdAt),
        application.email,
        application.productUrl,
      ]);
      return {
        text: formatTable(["id", "state", "filed", "address", "product"], rows, "No application is waiting."),
        json: found,
      };
    },
  },
  show: {
    usage: "ID",
    description: "shows an application",
    args: 1,
    async run({ args: [id = ""] }) {
      const application = await findApplication(id);
      if (!application) throw new StaffCommandError(`There is no application ${id}.`);
      const source = Object.entries(application.source ?? {}).map(([name, value]) => `${name}=${value}`);
      return {
        text: formatFields([
          ["id", application.id],
          ["state", application.state],
          ["address", application.email],
          ["product", application.productUrl],
          ["phone", application.phoneNum],
          ["language", application.locale],
          ["came from", source.join(" ")],
          ["filed", formatTime(application.createdAt)],
          ["decided", formatTime(application.decidedAt)],
          ["by", application.decidedBy ?? ""],
          ["note", application.note ?? ""],
        ]),
        json: application,
      };
    },
  },
  approve: {
    usage: 'ID [--note "…"]',
    description: "approves it and notifies the applicant",
    args: 1,
    options: { note: { type: "string" } },
    run: (call) => decide(call, "approved"),
  },
  refuse: {
    usage: 'ID --note "…"',
    description: "refuses it and notifies the applicant of the reason",
    args: 1,
    options: { note: { type: "string" } },
    required: ["note"],
    run: (call) => decide(call, "refused"),
  },
};
