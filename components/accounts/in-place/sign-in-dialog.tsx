"use client";

import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { LoginForm } from "@/components/accounts/sign-in/login-form";
import { SocialSignIn } from "@/components/accounts/sign-in/social-sign-in";
import { LegalLinks } from "@/components/shell/legal-links";
import { RETURNING_KEY } from "@/components/shell/session-summary";
import { Dialog } from "@/components/ui/dialog";
import { Emblem } from "@/components/ui/emblem";
import { Price } from "@/components/ui/price";
import { useSurface } from "@/components/ui/surface";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import { TicketLine } from "@/components/ui/ticket/ticket-line";
import type { Data } from "@/lib/platform/api/calls";
import type { ChosenPass, SignInRequest } from "./ask-sign-in";
import { NewAccountForm } from "./new-account-form";

export type SignInForm = Data<"GET", "/auth/sign-in-form">;

const TABS = ["new", "known"] as const;
type Tab = (typeof TABS)[number];
/** What was typed, by field name. It survives closing the form and changing the tab. */
export type Draft = Partial<Record<string, string>>;

/** Whether this browser had a session before. */
function readReturning(): boolean {
  try {
    return localStorage.getItem(RETURNING_KEY) !== null;
  } catch {
    return false;
  }
}

/**
 * Sign-in and registration over a page, with the chosen pass in sight (docs/product.md#24-navigation). A browser that
 * had a session before starts with "Sign in"; a session that ended offers nothing else.
 */
export function SignInDialog({
  form,
  request,
  open,
  onClose,
  onSignedIn,
  onLeave,
}: {
  form: SignInForm;
  request: SignInRequest;
  open: boolean;
  onClose: () => void;
  onSignedIn: () => void;
  /** Called before a sign-in that leaves the page. */
  onLeave: () => void;
}) {
  const { labels, google, github } = form;
  const { surface } = useSurface();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const draft = useRef<Draft>({});
  const [chosen, setChosen] = useState<Tab>(() => (readReturning() ? "known" : "new"));
  const known = request.purpose === "order";
  const tab: Tab = known ? "known" : chosen;
  const query = `?${new URLSearchParams({ redirect: request.returnPath })}`;
  const leave = () => {
    onLeave();
    onClose();
  };
  const returnTo = { query, onSignedIn, onLeave: leave };
  const providers = {
    google: google && { clientId: google.client_id, scriptUrl: google.script_url },
    github,
  };

  // On a phone the keyboard would cover the pass.
  useEffect(() => {
    if (open && surface === "desktop")
      box.current?.querySelector<HTMLElement>("input[name=user_email]")?.focus();
  }, [open, surface]);

  const keep = ({ target }: FormEvent) => {
    if (target instanceof HTMLInputElement && target.type !== "checkbox")
      draft.current[target.name] = target.value;
  };
  const changeTab = (next: Tab) => {
    setChosen(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft" || key === "ArrowRight") changeTab(tab === "new" ? "known" : "new");
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={labels[`title_${request.purpose}`]}
      closeLabel={labels.close}
    >
      <div
        ref={box}
        onChange={keep}
        // An invalid field is scrolled into view below the pass.
        className={`flex flex-col gap-4 ${surface === "desktop" ? "[&_input]:scroll-mt-44" : "[&_input]:scroll-mt-36"}`}
      >
        {request.note && <p>{request.note}</p>}
        {request.pass && <PassInSight pass={request.pass} compact={surface === "mobile"} />}
        {!known && (
          <div
            role="tablist"
            aria-label={labels.tabs}
            onKeyDown={onKey}
            className="grid grid-cols-2 gap-1 rounded-control border border-control p-1"
          >
            {TABS.map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`${id}-${name}`}
                aria-selected={tab === name}
                aria-controls={`${id}-panel`}
                tabIndex={tab === name ? 0 : -1}
                onClick={() => setChosen(name)}
                className="min-h-11 cursor-pointer rounded-[7px] px-2 font-medium text-quiet aria-selected:bg-ink aria-selected:text-paper"
              >
                {name === "new" ? labels.new : labels.sign_in}
              </button>
            ))}
          </div>
        )}
        <div id={`${id}-panel`} {...(!known && { role: "tabpanel", "aria-labelledby": `${id}-${tab}` })}>
          {tab === "new" ? (
            <NewAccountForm
              labels={labels}
              draft={{ user_email: request.email, ...draft.current }}
              onSignedIn={onSignedIn}
              onSignInInstead={() => setChosen("known")}
            />
          ) : (
            <LoginForm
              labels={labels}
              returnTo={returnTo}
              defaults={{ user_email: request.email, ...draft.current }}
            />
          )}
        </div>
        {(google || github) && (
          <div className="flex flex-col gap-3">
            <p className="flex items-center gap-4 text-13 text-quiet">
              <span className="h-px flex-1 bg-hairline" />
              {labels.or}
              <span className="h-px flex-1 bg-hairline" />
            </p>
            <SocialSignIn providers={providers} returnTo={returnTo} labels={labels} />
            {!known && <p className="text-13 text-quiet">{labels.consent}</p>}
          </div>
        )}
        <LegalLinks labels={labels} />
      </div>
    </Dialog>
  );
}

/** The chosen pass. It stays in sight while the form scrolls; on a phone it takes one line. */
function PassInSight({ pass, compact }: { pass: ChosenPass; compact: boolean }) {
  return (
    <div className="sticky top-0 z-10 bg-raised py-1 low:static">
      {compact ? (
        <div className="flex items-center gap-3 border-y border-dashed border-control py-2">
          <Emblem src={pass.image} size={44} className="rounded-control" />
          <p className="min-w-0 flex-1">
            <span className="line-clamp-2 font-medium" lang={pass.lang}>
              {pass.name}
            </span>
            <span className="block text-13 text-quiet">{pass.detail}</span>
          </p>
          <span className="flex flex-col items-end">
            <TicketHero span={pass.hero} label={pass.heroLabel} size="small" />
            <Price {...pass.price} />
          </span>
        </div>
      ) : (
        <TicketLine
          title={pass.name}
          lang={pass.lang}
          subtitle={pass.detail}
          emblem={<Emblem src={pass.image} size={80} />}
          hero={pass.hero}
          heroLabel={pass.heroLabel}
          price={<Price {...pass.price} />}
        />
      )}
    </div>
  );
}
