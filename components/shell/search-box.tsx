"use client";

import { Icon } from "@/components/ui/icon";
import { useNavigate } from "@/components/ui/link";

/**
 * The search of the header: Enter or the button. An ordinary form to `action` until the page is alive;
 * then it moves within the page and empties itself (spec §2). Blank input is ignored (spec §5).
 */
export function SearchBox({
  action,
  words,
}: {
  action: string;
  words: { label: string; placeholder: string; submit: string };
}) {
  const navigate = useNavigate();
  return (
    // biome-ignore lint/a11y/useSemanticElements: React's types know <search>, older screen readers do not.
    <form
      role="search"
      action={action}
      method="get"
      className="relative min-w-0 flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const query = String(new FormData(form).get("q") ?? "").trim();
        if (!query) return;
        form.reset();
        navigate(`/search?q=${encodeURIComponent(query)}`);
      }}
    >
      <input
        type="search"
        name="q"
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        aria-label={words.label}
        placeholder={words.placeholder}
        className="control pr-12 [&::-webkit-search-cancel-button]:hidden"
      />
      <button
        type="submit"
        aria-label={words.submit}
        className="hit absolute inset-y-0 right-0 grid cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
      >
        <Icon name="search" />
      </button>
    </form>
  );
}
