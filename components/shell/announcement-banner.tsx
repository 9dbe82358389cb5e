import { Link } from "@/components/ui/link";
import type { Announcement } from "@/lib/notifications/announcements/contract";
import { CloseAnnouncement } from "./close-announcement";
import type { AnnouncementLabels } from "./labels";

/**
 * A message of staff at the top of public pages, until its end or until the reader closes it in this browser. The script in
 * the head hides a closed one before the first paint (docs/product.md#23-header-footer-banners).
 */
export function AnnouncementBanner({
  id,
  text,
  link,
  endsAt,
  labels,
}: Announcement & { labels: AnnouncementLabels }) {
  return (
    // The key makes another announcement another element, which is not hidden.
    <aside key={id} id={id} aria-label={labels.name} className="border-b border-hairline bg-raised">
      <div className="measure flex items-center gap-2">
        <p className="min-w-0 flex-1 py-2.5 text-balance sm:text-center">
          {text}
          {link && (
            <>
              {" "}
              <Link href={link} className="text-link inline-block py-1 whitespace-nowrap">
                {labels.details}
              </Link>
            </>
          )}
        </p>
        <CloseAnnouncement id={id} endsAt={endsAt} label={labels.close} />
      </div>
    </aside>
  );
}
