import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { MAILBOX_SIZE, type MailboxMail, type MailboxPage } from "@/lib/notifications/contract";

/** The local mailbox: the emails that the shop would have sent, newest first. */
export function MailboxScreen({ page: mailboxPage }: { page: MailboxPage }) {
  const { mails, to } = mailboxPage;
  return (
    <MailboxFrame>
      <h1 className="text-28">Mailbox</h1>
      <p className="mt-2 max-w-text text-quiet">
        Every mail of this shop lands here and goes no further. The same as data:{" "}
        <a className="underline underline-offset-2" href={pageUrl("/dev/mailbox.json", mailboxPage)}>
          mailbox.json
        </a>
      </p>
      <form action="/dev/mailbox" method="get" className="mt-6 flex max-w-column gap-2">
        <label htmlFor="to" className="sr-only">
          Recipient
        </label>
        <input
          id="to"
          name="to"
          type="search"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          defaultValue={to}
          placeholder="Address of the recipient"
          className="control min-w-0 flex-1"
        />
        <button type="submit" className="button button-secondary">
          Filter
        </button>
      </form>
      <p className="mt-6 text-13 text-quiet figures" role="status">
        {countText(mailboxPage)}
        {to && (
          <>
            {" "}
            <a className="underline underline-offset-2" href="/dev/mailbox">
              Show all
            </a>
          </>
        )}
      </p>
      {mails.length === 0 ? <Empty filtered={to !== undefined} /> : <List mails={mails} />}
      <Pager page={mailboxPage} />
    </MailboxFrame>
  );
}

/** The address of a page of the mailbox, without default values. */
function pageUrl(path: string, { to, page, size }: Pick<MailboxPage, "to" | "page" | "size">): string {
  const query = new URLSearchParams();
  if (to) query.set("to", to);
  if (page > 1) query.set("page", String(page));
  if (size !== MAILBOX_SIZE) query.set("size", String(size));
  return query.size > 0 ? `${path}?${query}` : path;
}

function countText({ mails, total, to, page, size }: MailboxPage): string {
  const count = total === 1 ? "1 mail" : `${total} mails`;
  const all = to ? `${count} to ${to}` : count;
  const first = (page - 1) * size + 1;
  return mails.length < total && mails.length > 0
    ? `${first} to ${first + mails.length - 1} of ${all}.`
    : `${all}.`;
}

/** Links to the newer and older emails. */
function Pager({ page: mailboxPage }: { page: MailboxPage }) {
  const { page, size, total } = mailboxPage;
  const url = (target: number) => pageUrl("/dev/mailbox", { ...mailboxPage, page: target });
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <nav aria-label="Pages of the mailbox" className="mt-6 flex justify-between gap-6">
      {page > 1 ? (
        <a className="hit underline underline-offset-2" rel="prev" href={url(Math.min(page - 1, last))}>
          Newer
        </a>
      ) : (
        <span />
      )}
      {page < last && (
        <a className="hit underline underline-offset-2" rel="next" href={url(page + 1)}>
          Older
        </a>
      )}
    </nav>
  );
}

function List({ mails }: { mails: MailboxMail[] }) {
  return (
    <ul className="mt-2 border-t border-hairline">
      {mails.map((mail) => (
        <li key={mail.id} className="relative border-b border-hairline py-4 hover:bg-raised">
          <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <a href={`/dev/mailbox/${mail.id}`} className="min-w-0 font-medium after:absolute after:inset-0">
              <span lang={mail.locale || undefined}>{mail.subject}</span>
            </a>
            <MailboxTime at={mail.at} />
          </div>
          <p className="mt-1 flex flex-wrap gap-x-3 text-13 text-quiet">
            <span className="min-w-0 break-all">{mail.to}</span>
            <span>
              {mail.event} · {mail.locale}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function Empty({ filtered }: { filtered: boolean }) {
  return (
    <div className="mt-2 border-t border-hairline py-14 text-center">
      <h2 className="text-21">{filtered ? "No mail to this address" : "No mail yet"}</h2>
      <p className="mt-2 text-quiet">
        {filtered
          ? "A mail appears within a few seconds of its cause. Reload to look again."
          : "Register an account or place an order, then look again."}
      </p>
    </div>
  );
}

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

/** The layout of the mailbox pages: a link back to the shop and one column. */
function MailboxFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="measure flex items-center justify-between gap-4 border-b border-hairline py-3">
        <a href="/dev/mailbox" className="hit inline-flex items-center text-17 font-semibold">
          Local mailbox
        </a>
        <a
          href="/"
          className="hit inline-flex items-center justify-end text-quiet underline-offset-2 hover:underline"
        >
          To the shop
        </a>
      </header>
      <main className="measure pt-8 pb-16">{children}</main>
    </>
  );
}

/** A time with seconds, such as "2026-11-20 10:30:05 UTC", for comparison with logs. */
function MailboxTime({ at }: { at: string }) {
  return (
    <time dateTime={at} className="text-13 text-quiet figures">
      {at.slice(0, 19).replace("T", " ")} UTC
    </time>
  );
}
