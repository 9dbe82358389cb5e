import { classNames } from "@/components/ui/class-names";
import type { MailboxMail } from "@/lib/notifications/contract";
import { MailboxFrame, MailboxTime } from "./mailbox-frame";

const VIEWS = [
  ["html", "Page"],
  ["phone", "Phone"],
  ["text", "Text"],
  ["headers", "Headers"],
] as const;
type View = (typeof VIEWS)[number][0];

/** An email of the local mailbox: as HTML in a sandboxed frame, as text, and its headers. */
export function MailboxMailScreen({ mail, view: requestedView }: { mail: MailboxMail; view?: string }) {
  const view = VIEWS.find(([name]) => name === requestedView)?.[0] ?? "html";
  return (
    <MailboxFrame>
      <h1 className="text-28" lang={mail.locale || undefined}>
        {mail.subject}
      </h1>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-quiet">
        <a
          className="break-all underline underline-offset-2"
          href={`/dev/mailbox?to=${encodeURIComponent(mail.to)}`}
        >
          {mail.to}
        </a>
        <span className="text-13">
          {mail.event} · {mail.locale}
        </span>
        <MailboxTime at={mail.at} />
      </p>
      <nav aria-label="Views of the mail" className="mt-6 flex gap-6 border-b border-hairline">
        {VIEWS.map(([name, label]) => (
          <a
            key={name}
            href={name === "html" ? `/dev/mailbox/${mail.id}` : `/dev/mailbox/${mail.id}?view=${name}`}
            aria-current={name === view ? "page" : undefined}
            className={classNames(
              "-mb-px inline-flex min-h-11 items-center border-b-2",
              name === view ? "border-ink font-medium" : "border-transparent text-quiet hover:text-ink",
            )}
          >
            {label}
          </a>
        ))}
      </nav>
      <div className="mt-6">
        <Content mail={mail} view={view} />
      </div>
    </MailboxFrame>
  );
}

const BLOCK =
  "overflow-x-auto rounded-ticket border border-hairline bg-raised p-5 font-mono text-13 whitespace-pre-wrap";

function Content({ mail, view }: { mail: MailboxMail; view: View }) {
  if (view === "text") return <pre className={BLOCK}>{mail.text}</pre>;
  if (view === "headers") {
    const lines = Object.entries(mail.headers).map(([name, value]) => `${name}: ${value}`);
    return <pre className={BLOCK}>{lines.join("\n")}</pre>;
  }
  return (
    <iframe
      title="The mail as a page"
      // The frame has no scripts, no forms and an opaque origin. Links open in a new window.
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={mail.html}
      className={classNames(
        "h-[max(36rem,75vh)] w-full rounded-ticket border border-hairline bg-paper",
        view === "phone" && "max-w-[390px]",
      )}
    />
  );
}
