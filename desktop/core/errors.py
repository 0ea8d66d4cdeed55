"""What can go wrong with a library or a document, named after what the caller can do.

    LibraryError
    |- LibraryTooNew        the file was written by a newer Groundwork: update
    |- LibraryBusy          another process has it open for writing
    |- LibraryDamaged       SQLite reports corruption: repair or restore
    |- NotALibrary          the file belongs to another program
    |- LibraryNotWritable   the folder or file may not be opened or written here
    |- DiskFull             free space and try again
    |- DiskLost             the disk was removed or does not answer: connect it, try again
    |- BackupUnusable       a backup is not what was backed up: choose another one
    |- CarrierRefused       a file that carries a library is damaged or not to be trusted
    |- ManualPackRefused    a pack of manuals is not to be trusted, expired, old or damaged
    |- BelongsToPack        a manual cannot be removed or read again by itself: detach its pack
    |- QuestionsRefused     a table of questions cannot be read, or its answers not be written
    |- FolderRefused        a folder that cannot be watched, or is not
    |- DocumentNotFound     the id is not (or no longer) in the library
    |- ConversationNotFound the same for a conversation
    `- DocumentError        one file; its row in the library says why
       |- NotAPdf           not a PDF at all
       |- PdfNeedsPassword  encrypted: ask for the password
       |- PhotoTooHeavy     reading a photo took too long or too much memory
       |- NotAPicture       a photo in no format that is read, or damaged
       |- UnreadablePdf     damaged beyond what MuPDF repairs, or without pages
       `- ParserLimit       took too long, too much memory, or killed the parser

    SigningError            the message is a sentence for people
    |- KeyUnusable          a key file is none, is damaged, or needs a (another) passphrase
    `- SignatureRefused     unsigned, signed by a key that is not trusted, or changed afterwards

Data travels as attributes, causes are chained with `from`.
"""

from __future__ import annotations

from desktop.sentences import SaidError


class LibraryError(SaidError):
    """Base of everything this package raises on purpose."""


class LibraryTooNew(LibraryError):  # noqa: N818 - named after the state
    """The library file has a schema version this program does not know."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"library has schema version {found}, this Groundwork knows {known}")
        self.found = found
        self.known = known


class LibraryBusy(LibraryError):  # noqa: N818
    """Another process holds the library for writing."""


class LibraryDamaged(LibraryError):  # noqa: N818
    """SQLite reports that the library file is corrupt."""


class NotALibrary(LibraryError):  # noqa: N818
    """The file is a database of another program, or no database."""


class LibraryNotWritable(LibraryError):  # noqa: N818
    """The library's folder or file cannot be opened or written with the rights we have."""


class DiskFull(LibraryError):  # noqa: N818
    """There is not enough free space; needed_bytes says how much at least is missing."""

    def __init__(self, message: str, needed_bytes: int = 0) -> None:
        super().__init__(message)
        self.needed_bytes = needed_bytes


class DiskLost(LibraryError):  # noqa: N818
    """The disk that holds the library was removed, or reading or writing it fails."""


class BackupUnusable(LibraryError):  # noqa: N818
    """A backup is not what its manifest says; the message says why."""


class CarrierRefused(LibraryError):  # noqa: N818
    """A file that carries a library is not taken in; the message is a sentence that says why."""


class ManualPackRefused(LibraryError):  # noqa: N818
    """A pack of manuals is not built, attached or updated; the message is one or two sentences."""


class BelongsToPack(LibraryError):  # noqa: N818
    """A manual belongs to a pack, which is removed or renewed as a whole."""

    def __init__(self, title: str, pack: str) -> None:
        super().__init__(f"{title} belongs to the pack {pack}")
        self.title = title
        self.pack = pack


class QuestionsRefused(LibraryError):  # noqa: N818
    """A table of questions, or where its answers go, cannot be used; the message says why."""


class FolderRefused(LibraryError):  # noqa: N818
    """A folder is not watched, or cannot be; the message is a sentence that says why."""


class DocumentNotFound(LibraryError):  # noqa: N818
    """No document has this id."""

    def __init__(self, document_id: int) -> None:
        super().__init__(f"no document {document_id} in this library")
        self.document_id = document_id


class ConversationNotFound(LibraryError):  # noqa: N818
    """No conversation has this id."""

    def __init__(self, conversation_id: int) -> None:
        super().__init__(f"no conversation {conversation_id} in this library")
        self.conversation_id = conversation_id


class DocumentError(LibraryError):
    """Base of what is wrong with one document."""


class NotAPdf(DocumentError):  # noqa: N818
    """The file is not a PDF."""


class NotAPicture(DocumentError):  # noqa: N818
    """A photo is in a format that is not read, damaged, or too large."""


class PhotoTooHeavy(DocumentError):  # noqa: N818
    """Reading a photo hit the parser's limit on time or memory, or ended the parser."""


class PdfNeedsPassword(DocumentError):  # noqa: N818
    """The PDF is encrypted and no (or a wrong) password was given."""


class UnreadablePdf(DocumentError):  # noqa: N818
    """MuPDF can neither read nor repair the file, or it has no pages."""


class ParserLimit(DocumentError):  # noqa: N818
    """The parser hit its time or memory limit, or died; kind says which."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class SigningError(SaidError):
    """Base of what is wrong with a key or a signature; the message is a sentence for people."""


class KeyUnusable(SigningError):  # noqa: N818
    """A file is not the key that is needed."""


class SignatureRefused(SigningError):  # noqa: N818
    """What was signed is not to be taken; the message says why and what to do."""
