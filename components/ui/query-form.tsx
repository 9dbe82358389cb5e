"use client";

import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { useNavigate } from "@/components/ui/link";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";

const DUPLICATE_MS = 500;

/** Navigates as soon as a choice changes; before hydration a GET form with the button `apply`. `path` is a desktop path. */
export function QueryForm({
  path,
  values,
  apply,
  children,
  ...rest
}: {
  path: string;
  values: Readonly<Record<string, string>>;
  apply?: string;
  children: ReactNode;
  className?: string;
  role?: "search";
  "aria-label"?: string;
}) {
  const page = useSurface();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const valuesJson = JSON.stringify(values);
  const lastNavigation = useRef({ address: "", at: 0, open: false });

  const navigateToQuery = (submitter?: HTMLElement | null) => {
    if (!form.current) return;
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form.current, submitter))
      if (typeof value === "string" && value.trim()) query.append(name, value.trim());
    const address = query.size > 0 ? `${path}?${query}` : path;
    // Enter in a number field fires both change and submit. Only one navigation is made.
    const previous = lastNavigation.current;
    if (address === previous.address && Date.now() - previous.at < DUPLICATE_MS) return;
    lastNavigation.current = { address, at: Date.now(), open: true };
    navigate(address);
  };
  const navigateRef = useRef(navigateToQuery);
  navigateRef.current = navigateToQuery;
  useEffect(() => {
    // A response does not overwrite the field being edited. Back and forward navigation does.
    updateFields(
      form.current,
      JSON.parse(valuesJson),
      lastNavigation.current.open ? document.activeElement : null,
    );
    lastNavigation.current.open = false;
  }, [valuesJson]);
  useEffect(() => {
    // Uses the native change event, which fires when a number is complete. React's onChange fires for every digit.
    const onChange = ({ target }: Event) => {
      if (isChoice(target) && form.current?.reportValidity()) navigateRef.current();
    };
    const element = form.current;
    element?.addEventListener("change", onChange);
    return () => element?.removeEventListener("change", onChange);
  }, []);

  return (
    <form
      {...rest}
      ref={form}
      action={localizedPath(path, page)}
      method="get"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        navigateToQuery((event.nativeEvent as SubmitEvent).submitter);
      }}
    >
      {children}
      {apply && (
        <noscript>
          <button type="submit" className="button button-secondary">
            {apply}
          </button>
        </noscript>
      )}
    </form>
  );
}

const isCheckable = (field: HTMLInputElement) => field.type === "checkbox" || field.type === "radio";

/** A field for a number is a text field (`TYPED_NUMBER`). */
const isNumber = (field: HTMLInputElement) => field.inputMode === "decimal";

const isChoice = (field: EventTarget | null) =>
  field instanceof HTMLSelectElement ||
  (field instanceof HTMLInputElement && (isCheckable(field) || isNumber(field)));

function updateFields(
  form: HTMLFormElement | null,
  values: Readonly<Record<string, string>>,
  editedField: Element | null,
) {
  for (const field of form?.elements ?? []) {
    if (field === editedField) continue;
    if (field instanceof HTMLSelectElement) field.value = values[field.name] ?? "";
    else if (!(field instanceof HTMLInputElement) || field.type === "hidden") continue;
    else if (isCheckable(field)) field.checked = values[field.name] === field.value;
    else field.value = values[field.name] ?? "";
  }
}
