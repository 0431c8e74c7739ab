/** Loaded on use; see `rich-parts.tsx`. */
export { MessageCards } from "../cards/message-cards.tsx";
export { UnreadNote } from "../errors/unread-note.tsx";
export { FormCard } from "../forms/form-card.tsx";
export { OfferCard } from "../handoff/offer-card.tsx";
export { WaitingBanner } from "../handoff/waiting-banner.tsx";
export { NoteRow } from "./note-row.tsx";
