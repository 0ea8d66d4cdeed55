<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Groundwork</name>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message numerus="yes">
        <source>%n manuals are being read again.</source>
        <translation>
            <numerusform>%n Handbuch wird neu gelesen.</numerusform>
            <numerusform>%n Handbücher werden neu gelesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Conversation</source>
        <translation>&amp;Unterhaltung</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Library</source>
        <translation>B&amp;ibliothek</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>&apos;auto&apos; and &apos;dspy&apos; ask the language model, if there is one; &apos;prompt&apos; asks it with one fixed prompt; &apos;rules&apos; never asks it.</source>
        <translation>„auto“ und „dspy“ fragen das Sprachmodell, wo es eines gibt; „prompt“ fragt es mit einem festen Text; „rules“ fragt es nie.</translation>
    </message>
    <message>
        <source>&apos;corrections&apos; includes what was corrected earlier in the conversation, &apos;all&apos; the last steps too. More takes longer to read.</source>
        <translation>„corrections“ nennt, was zuvor in der Unterhaltung korrigiert wurde, „all“ auch die letzten Schritte. Mehr zu lesen dauert länger.</translation>
    </message>
    <message>
        <source>({n} more files)</source>
        <translation>({n} weitere Dateien)</translation>
    </message>
    <message>
        <source>, in use now</source>
        <translation>, wird gerade benutzt</translation>
    </message>
    <message>
        <source>1 citation</source>
        <translation>1 Fundstelle</translation>
    </message>
    <message>
        <source>1 correction</source>
        <translation>1 Korrektur</translation>
    </message>
    <message>
        <source>1 doubt left</source>
        <translation>1 offener Zweifel</translation>
    </message>
    <message>
        <source>1 failed step</source>
        <translation>1 fehlgeschlagener Schritt</translation>
    </message>
    <message>
        <source>1 finding</source>
        <translation>1 Befund</translation>
    </message>
    <message>
        <source>1 manual</source>
        <translation>1 Handbuch</translation>
    </message>
    <message>
        <source>1 more source.</source>
        <translation>1 weitere Quelle.</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Notiz</translation>
    </message>
    <message>
        <source>1 objection</source>
        <translation>1 Einwand</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <source>1 question</source>
        <translation>1 Frage</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 Runde</translation>
    </message>
    <message>
        <source>1 sentence</source>
        <translation>1 Satz</translation>
    </message>
    <message>
        <source>1 source was</source>
        <translation>1 Quelle</translation>
    </message>
    <message>
        <source>1 statement</source>
        <translation>1 Aussage</translation>
    </message>
    <message>
        <source>A .format template can use {names}, not {field_name}.</source>
        <translation>Eine .format-Vorlage darf {names} nennen, nicht {field_name}.</translation>
    </message>
    <message>
        <source>A .format template cannot set widths or precision.</source>
        <translation>Eine .format-Vorlage darf keine Breiten oder Genauigkeiten angeben.</translation>
    </message>
    <message>
        <source>A database in it is damaged: {error}.</source>
        <translation>Eine Datenbank darin ist beschädigt: {error}.</translation>
    </message>
    <message>
        <source>There is a draft.</source>
        <translation>Ein Entwurf liegt vor.</translation>
    </message>
    <message>
        <source>A file in it is longer than stated. Copy or download it again.</source>
        <translation>Eine Datei darin ist länger, als sie angibt. Kopieren Sie sie neu oder laden Sie sie erneut herunter.</translation>
    </message>
    <message>
        <source>A file in it, {name}, {fault}.</source>
        <translation>Eine Datei darin, {name}, {fault}.</translation>
    </message>
    <message>
        <source>A file or folder does not exist{where}</source>
        <translation>Eine Datei oder ein Ordner ist nicht vorhanden{where}</translation>
    </message>
    <message>
        <source>A file that takes longer is abandoned.</source>
        <translation>Eine Datei, die länger braucht, wird aufgegeben.</translation>
    </message>
    <message>
        <source>A key name can contain only letters, digits, &apos;-&apos; and &apos;.&apos;.</source>
        <translation>Der Name eines Schlüssels besteht aus Buchstaben, Ziffern, „-“ und „.“.</translation>
    </message>
    <message>
        <source>A language model is told this with every question. It stays on this computer. Choose the site and the asset you work at in the library.</source>
        <translation>Einem Sprachmodell wird dies bei jeder Frage mitgeteilt. Es bleibt auf diesem Computer. Standort und Anlage, an denen Sie arbeiten, werden in der Bibliothek gewählt.</translation>
    </message>
    <message>
        <source>A large model that runs like a small one decides and writes.</source>
        <translation>Ein großes Modell, das wie ein kleines läuft, entscheidet und schreibt.</translation>
    </message>
    <message>
        <source>A large model that runs like a small one: it uses 3 billion of its weights per token.</source>
        <translation>Ein großes Modell, das wie ein kleines läuft: 3 Milliarden seiner Gewichte arbeiten je Token.</translation>
    </message>
    <message>
        <source>A manual that is not in this library, page {page}</source>
        <translation>Ein Handbuch, das nicht in dieser Bibliothek ist, Seite {page}</translation>
    </message>
    <message>
        <source>A manual that would leave less is not added.</source>
        <translation>Ein Handbuch, nach dem weniger frei bliebe, wird nicht hinzugefügt.</translation>
    </message>
    <message>
        <source>A model failed</source>
        <translation>Ein Modell ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>A model is damaged</source>
        <translation>Ein Modell ist beschädigt</translation>
    </message>
    <message>
        <source>A model is not installed</source>
        <translation>Ein Modell ist nicht installiert</translation>
    </message>
    <message>
        <source>A model got a request in a form it cannot answer</source>
        <translation>Ein Modell wurde in einer Form gefragt, in der es nicht antworten kann</translation>
    </message>
    <message>
        <source>A newer Groundwork made this file. Update Groundwork.</source>
        <translation>Ein neueres Groundwork hat diese Datei gemacht. Aktualisieren Sie Groundwork.</translation>
    </message>
    <message>
        <source>A newer version made the pack. Update Groundwork on this computer.</source>
        <translation>Ein neueres Groundwork hat das Paket gemacht. Aktualisieren Sie Groundwork auf diesem Computer.</translation>
    </message>
    <message>
        <source>A note from your team was left out, {file}: {why}</source>
        <translation>Eine Notiz Ihres Teams bleibt außen vor, {file}: {why}</translation>
    </message>
    <message>
        <source>A pack&apos;s manuals come and go together: detach the pack (File &gt; Packs of Manuals, or &apos;groundwork pack detach&apos;).</source>
        <translation>Die Handbücher eines Pakets kommen und gehen zusammen: Lösen Sie das Paket (Datei &gt; Pakete mit Handbüchern, oder „groundwork pack detach“).</translation>
    </message>
    <message>
        <source>Ask for a page by its number.</source>
        <translation>Es wird nach einer Seite mit ihrer Nummer gefragt.</translation>
    </message>
    <message>
        <source>A page that takes longer is abandoned.</source>
        <translation>Eine Seite, die länger braucht, wird aufgegeben.</translation>
    </message>
    <message>
        <source>Memory was needed for your question</source>
        <translation>Der Speicher wurde für Ihre Frage gebraucht</translation>
    </message>
    <message>
        <source>A question that takes longer is stopped, with a message.</source>
        <translation>Eine Frage, die länger dauert, wird mit einem Hinweis angehalten.</translation>
    </message>
    <message>
        <source>A section of the answer is not in the required form.</source>
        <translation>Ein Abschnitt der Antwort hat nicht die verlangte Form.</translation>
    </message>
    <message>
        <source>A small model decides and writes; another one looks at pages.</source>
        <translation>Ein kleines Modell entscheidet und schreibt; ein anderes sieht sich Seiten an.</translation>
    </message>
    <message>
        <source>A small model looks at every page: better regions, but a third of a second more per page.</source>
        <translation>Ein kleines Modell sieht sich jede Seite an: bessere Bereiche, aber ein Drittel Sekunde mehr je Seite.</translation>
    </message>
    <message>
        <source>A template for notes cannot be used</source>
        <translation>Eine Vorlage für Notizen kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>A check found that it is damaged.</source>
        <translation>Eine Prüfung hat ergeben, dass es beschädigt ist.</translation>
    </message>
    <message>
        <source>A longer written answer stops there and says so.</source>
        <translation>Eine geschriebene Antwort, die länger wird, endet dort und sagt es.</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Betrifft</translation>
    </message>
    <message>
        <source>About Groundwork</source>
        <translation>Über Groundwork</translation>
    </message>
    <message>
        <source>About anything</source>
        <translation>Beliebiges</translation>
    </message>
    <message>
        <source>About this place</source>
        <translation>Über diesen Ort</translation>
    </message>
    <message>
        <source>About you</source>
        <translation>Über Sie</translation>
    </message>
    <message>
        <source>About you and this place</source>
        <translation>Über Sie und diesen Ort</translation>
    </message>
    <message>
        <source>About you and this place: &apos;merge&apos; tells a language model both, &apos;feed_only&apos; only the notes, if there are any, &apos;attribute_only&apos; only what is in the settings.</source>
        <translation>Über Sie und diesen Ort: „merge“ teilt einem Sprachmodell beides mit, „feed_only“ nur die Notizen, wo es welche gibt, „attribute_only“ nur, was in den Einstellungen steht.</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Originalgröße</translation>
    </message>
    <message>
        <source>Add a folder of manuals</source>
        <translation>Einen Ordner mit Handbüchern hinzufügen</translation>
    </message>
    <message>
        <source>Add a manual</source>
        <translation>Handbuch hinzufügen</translation>
    </message>
    <message>
        <source>Add its PDF file again if you need it.</source>
        <translation>Fügen Sie die PDF-Datei wieder hinzu, wenn Sie sie brauchen.</translation>
    </message>
    <message>
        <source>Add manuals</source>
        <translation>Handbücher hinzufügen</translation>
    </message>
    <message>
        <source>Add manuals…</source>
        <translation>Handbücher hinzufügen …</translation>
    </message>
    <message>
        <source>Add tags</source>
        <translation>Schlagwörter hinzufügen</translation>
    </message>
    <message>
        <source>Add {n} files and folders</source>
        <translation>{n} Dateien und Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Add “{name}”</source>
        <translation>„{name}“ hinzufügen</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>Advanced: what a language model is told</source>
        <translation>Erweitert: was einem Sprachmodell gesagt wird</translation>
    </message>
    <message>
        <source>After this many steps the agent answers with what it has.</source>
        <translation>Nach so vielen Schritten antwortet der Agent mit dem, was er hat.</translation>
    </message>
    <message>
        <source>After that, the report is written from what was found.</source>
        <translation>Danach wird der Bericht aus dem Gefundenen geschrieben.</translation>
    </message>
    <message>
        <source>Agreements</source>
        <translation>Übereinstimmungen</translation>
    </message>
    <message>
        <source>All equipment</source>
        <translation>Alle Anlagen</translation>
    </message>
    <message>
        <source>All files of “{name}” are intact.</source>
        <translation>Alle Dateien von „{name}“ sind unversehrt.</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
    <message>
        <source>All manuals</source>
        <translation>Alle Handbücher</translation>
    </message>
    <message>
        <source>All manuals ({n})</source>
        <translation>Alle Handbücher ({n})</translation>
    </message>
    <message>
        <source>All manuals, or words from titles and folders: pump, hall 3</source>
        <translation>Alle Handbücher, oder Wörter aus Titeln und Ordnern: Pumpe, Halle 3</translation>
    </message>
    <message>
        <source>All sites</source>
        <translation>Alle Standorte</translation>
    </message>
    <message>
        <source>All tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>An adapter and its base are imported from folders: unpack them first.</source>
        <translation>Ein Adapter und sein Basismodell werden aus Ordnern importiert: Entpacken Sie beide zuerst.</translation>
    </message>
    <message>
        <source>An answer in seconds, from the best pages.</source>
        <translation>Eine Antwort in Sekunden, aus den besten Seiten.</translation>
    </message>
    <message>
        <source>An earlier piece of the file has the same piece_id.</source>
        <translation>Ein früheres Stück der Datei hat dieselbe piece_id.</translation>
    </message>
    <message>
        <source>An installed model instead of the built-in one. Changing the model rebuilds all the library&apos;s text vectors.</source>
        <translation>Ein installiertes Modell anstelle des eingebauten. Ein anderes Modell berechnet alle Textvektoren der Bibliothek neu.</translation>
    </message>
    <message>
        <source>An installed model instead of the profile&apos;s.</source>
        <translation>Ein installiertes Modell anstelle dessen, das zum Profil gehört.</translation>
    </message>
    <message>
        <source>Analyst, seconds</source>
        <translation>Analyst, Sekunden</translation>
    </message>
    <message>
        <source>Another build is writing this pack. Wait until it has finished.</source>
        <translation>Ein anderer Bau schreibt dieses Paket. Warten Sie, bis er zu Ende ist.</translation>
    </message>
    <message>
        <source>Another key ({fingerprint}) is trusted under the name {name}. Remove that one first, or give this one another name.</source>
        <translation>Einem anderen Schlüssel ({fingerprint}) wird unter dem Namen {name} vertraut. Nehmen Sie diesen zuerst weg, oder geben Sie dem neuen einen anderen Namen.</translation>
    </message>
    <message>
        <source>Another model is being imported or removed. Wait until that is done, then try again.</source>
        <translation>Ein anderes Modell wird gerade importiert oder entfernt. Warten Sie, bis das fertig ist, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Neu beantworten</translation>
    </message>
    <message>
        <source>Answer from the text that was found, or search for other pages.</source>
        <translation>Aus dem gefundenen Text antworten oder nach anderen Seiten suchen.</translation>
    </message>
    <message>
        <source>Answer it.</source>
        <translation>Die Frage beantworten.</translation>
    </message>
    <message>
        <source>Answer, or offer different ones.</source>
        <translation>Antworten oder andere anbieten.</translation>
    </message>
    <message>
        <source>Answered in part.</source>
        <translation>Zum Teil beantwortet.</translation>
    </message>
    <message>
        <source>Answered in {said} with {cited}, from the site&apos;s notes.</source>
        <translation>Beantwortet: {said}, {cited}, aus Notizen des Standorts.</translation>
    </message>
    <message>
        <source>Answered in {said} with {cited}, page {page_numbers}.</source>
        <translation>Beantwortet: {said}, {cited}, Seite {page_numbers}.</translation>
    </message>
    <message>
        <source>Answered in {said} with {cited}, pages {page_numbers}.</source>
        <translation>Beantwortet: {said}, {cited}, Seiten {page_numbers}.</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Answers and decides</source>
        <translation>Antwortet und entscheidet</translation>
    </message>
    <message>
        <source>Answers are quoted from the manuals; no language model is installed.</source>
        <translation>Antworten werden aus den Handbüchern zitiert; es ist kein Sprachmodell installiert.</translation>
    </message>
    <message>
        <source>Answers are quoted from your manuals</source>
        <translation>Antworten werden aus Ihren Handbüchern zitiert</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Apple&apos;s text recognition is available only on a Mac</source>
        <translation>Die Texterkennung von Apple gibt es nur auf einem Mac</translation>
    </message>
    <message>
        <source>Apple&apos;s text recognition needs: pip install ocrmac</source>
        <translation>Die Texterkennung von Apple benötigt: pip install ocrmac</translation>
    </message>
    <message>
        <source>Settings sections</source>
        <translation>Bereiche der Einstellungen</translation>
    </message>
    <message>
        <source>Your name in notes and imported knowledge: “alice” is the person user:alice. Answers follow the rules and use the profile kept for you.</source>
        <translation>So, wie Notizen und importiertes Wissen Sie nennen: „alice“ ist die Person user:alice. Antworten befolgen die Regeln und kennen das Profil, die für Sie hinterlegt sind.</translation>
    </message>
    <message>
        <source>As they are</source>
        <translation>Unverändert</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Ask a question first: the heat map shows where a page matches it.</source>
        <translation>Stellen Sie zuerst eine Frage: Die Heatmap zeigt, wo eine Seite zu ihr passt.</translation>
    </message>
    <message>
        <source>Ask about the picture</source>
        <translation>Nach dem Bild fragen</translation>
    </message>
    <message>
        <source>Ask about this region (page {page})</source>
        <translation>Zu diesem Bereich fragen (Seite {page})</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Erneut fragen</translation>
    </message>
    <message>
        <source>Ask again in different words, or choose a larger model on the Models page.</source>
        <translation>Formulieren Sie die Frage anders, oder wählen Sie ein größeres Modell auf der Seite „Modelle“.</translation>
    </message>
    <message>
        <source>Ask again, or raise the time limit in the settings.</source>
        <translation>Fragen Sie noch einmal, oder erhöhen Sie die Zeitgrenze in den Einstellungen.</translation>
    </message>
    <message>
        <source>Ask first, or put the question in the same sentence.</source>
        <translation>Fragen Sie zuerst, oder schreiben Sie die Frage in denselben Satz.</translation>
    </message>
    <message>
        <source>Ask for the rest, or allow longer answers.</source>
        <translation>Fragen Sie nach dem Rest, oder erlauben Sie längere Antworten.</translation>
    </message>
    <message>
        <source>Ask in different words, or allow more steps in the settings.</source>
        <translation>Formulieren Sie die Frage anders, oder erlauben Sie in den Einstellungen mehr Schritte.</translation>
    </message>
    <message>
        <source>Ask it again.</source>
        <translation>Stellen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>Ask your equipment manuals, offline. Every answer shows the page it comes from.

Free software under the GNU Affero General Public License 3.0 or later. It comes with no warranty.</source>
        <translation>Befragen Sie Ihre Gerätehandbücher, ohne Netz. Jede Antwort zeigt die Seite, auf der sie steht.

Freie Software unter der GNU Affero General Public License 3.0 oder neuer. Sie kommt ohne jede Gewährleistung.</translation>
    </message>
    <message>
        <source>Ask your manuals</source>
        <translation>Befragen Sie Ihre Handbücher</translation>
    </message>
    <message>
        <source>Ask your manuals…</source>
        <translation>Fragen Sie Ihre Handbücher …</translation>
    </message>
    <message>
        <source>Ask “{text}”</source>
        <translation>„{text}“ fragen</translation>
    </message>
    <message>
        <source>Asked back.</source>
        <translation>Nachgefragt.</translation>
    </message>
    <message>
        <source>Asset</source>
        <translation>Anlage</translation>
    </message>
    <message>
        <source>Not at a site</source>
        <translation>An keinem Standort</translation>
    </message>
    <message>
        <source>Attach</source>
        <translation>Einbinden</translation>
    </message>
    <message>
        <source>Attach the pack of manuals in this folder</source>
        <translation>Das Paket mit Handbüchern in diesem Ordner einbinden</translation>
    </message>
    <message>
        <source>Attach…</source>
        <translation>Einbinden …</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Automatic backups of what the library knows; its manuals are not copied again.</source>
        <translation>Automatische Sicherungen dessen, was die Bibliothek weiß; die Kopien der Handbücher werden nicht noch einmal kopiert.</translation>
    </message>
    <message>
        <source>Available: {names}.</source>
        <translation>Verfügbar: {names}.</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Backups to keep</source>
        <translation>Aufzubewahrende Sicherungen</translation>
    </message>
    <message>
        <source>Before: {manual}</source>
        <translation>Vorher: {manual}</translation>
    </message>
    <message>
        <source>Before: {text}</source>
        <translation>Vorher: {text}</translation>
    </message>
    <message>
        <source>Being copied</source>
        <translation>Wird kopiert</translation>
    </message>
    <message>
        <source>Being downloaded</source>
        <translation>Wird heruntergeladen</translation>
    </message>
    <message>
        <source>Being imported</source>
        <translation>Wird importiert</translation>
    </message>
    <message>
        <source>Being verified</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Belongs to</source>
        <translation>Gehört zu</translation>
    </message>
    <message>
        <source>Below this, Groundwork says it is not in the manuals.</source>
        <translation>Darunter lautet die Antwort, dass es nicht in den Handbüchern steht.</translation>
    </message>
    <message>
        <source>Beside the pages</source>
        <translation>Neben den Seiten</translation>
    </message>
    <message>
        <source>Black on white or white on black, with strong borders.</source>
        <translation>Schwarz auf Weiß oder Weiß auf Schwarz, mit kräftigen Rändern.</translation>
    </message>
    <message>
        <source>Bookmark this page</source>
        <translation>Lesezeichen auf diese Seite setzen</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>Lesezeichen</translation>
    </message>
    <message>
        <source>Both together</source>
        <translation>Beides zusammen</translation>
    </message>
    <message>
        <source>Bring the stick here and drop the copied folder anywhere on this page.</source>
        <translation>Bringen Sie den Stick hierher und legen Sie den kopierten Ordner irgendwo auf dieser Seite ab.</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>Eingebaut</translation>
    </message>
    <message>
        <source>Bulletin</source>
        <translation>Mitteilung</translation>
    </message>
    <message>
        <source>Bulletin or company procedure</source>
        <translation>Mitteilung des Herstellers oder Verfahren der Firma</translation>
    </message>
    <message>
        <source>But another page says:</source>
        <translation>Eine andere Seite sagt aber:</translation>
    </message>
    <message>
        <source>But {place} says:</source>
        <translation>Dagegen steht auf {place}:</translation>
    </message>
    <message>
        <source>CAUTION</source>
        <translation>VORSICHT</translation>
    </message>
    <message>
        <source>Cached from earlier questions: {size}</source>
        <translation>Zwischengespeichert aus früheren Fragen: {size}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel: {what}</source>
        <translation>Abbrechen: {what}</translation>
    </message>
    <message>
        <source>Cannot be used</source>
        <translation>Nicht verwendbar</translation>
    </message>
    <message>
        <source>Change these only if you know what they do.</source>
        <translation>Ändern Sie das nur, wenn Sie wissen, was es bewirkt.</translation>
    </message>
    <message>
        <source>Changed {manuals}.</source>
        <translation>{manuals} geändert.</translation>
    </message>
    <message>
        <source>Changed “{title}”.</source>
        <translation>„{title}“ geändert.</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern …</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Check answers before they are final</source>
        <translation>Antworten prüfen, bevor sie gelten</translation>
    </message>
    <message>
        <source>Check the draft</source>
        <translation>Entwurf prüfen</translation>
    </message>
    <message>
        <source>Checking every sentence against its source.</source>
        <translation>Jeder Satz wird an seiner Quelle geprüft.</translation>
    </message>
    <message>
        <source>Checking the answer</source>
        <translation>Die Antwort wird geprüft</translation>
    </message>
    <message>
        <source>Choose a later one.</source>
        <translation>Wählen Sie eine spätere.</translation>
    </message>
    <message>
        <source>Choose the zoom and page layout</source>
        <translation>Vergrößerung wählen und wie Seiten liegen</translation>
    </message>
    <message>
        <source>Choose an action.</source>
        <translation>Wählen Sie eine Handlung.</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>All sources</source>
        <translation>Alle Quellen</translation>
    </message>
    <message>
        <source>Ask it by itself</source>
        <translation>Für sich allein fragen</translation>
    </message>
    <message>
        <source>Check of notes</source>
        <translation>Notizen prüfen</translation>
    </message>
    <message>
        <source>Check of notes: what the site’s notes say against the manuals</source>
        <translation>Notizen prüfen: was die Notizen des Standorts sagen, gegen die Handbücher</translation>
    </message>
    <message>
        <source>Choose one of the available tools, with inputs that fit it.</source>
        <translation>Wählen Sie eines der verfügbaren Werkzeuge, mit passenden Eingaben.</translation>
    </message>
    <message>
        <source>Choose other inputs or another tool.</source>
        <translation>Andere Eingaben oder ein anderes Werkzeug wählen.</translation>
    </message>
    <message>
        <source>Choose the sources</source>
        <translation>Quellen auswählen</translation>
    </message>
    <message>
        <source>Choosing passages</source>
        <translation>Textstellen werden ausgewählt</translation>
    </message>
    <message>
        <source>Cite notes in answers</source>
        <translation>Notizen in Antworten zitieren</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close find</source>
        <translation>Suche schließen</translation>
    </message>
    <message>
        <source>Close find (Esc)</source>
        <translation>Suche schließen (Esc)</translation>
    </message>
    <message>
        <source>Close other programs, ask with less text, or use a smaller model.</source>
        <translation>Schließen Sie andere Programme, fragen Sie mit weniger Text, oder verwenden Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Close the changes</source>
        <translation>Änderungen schließen</translation>
    </message>
    <message>
        <source>Close the heat map</source>
        <translation>Heatmap schließen</translation>
    </message>
    <message>
        <source>Colours, text size and language of the window.</source>
        <translation>Farben, Schriftgröße und Sprache des Fensters.</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>Compares what the site&apos;s notes say with what the maker says.</source>
        <translation>Vergleicht, was die Notizen des Standorts sagen, mit dem, was der Hersteller sagt.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>Connections made: {n}</source>
        <translation>Verbindungen: {n}</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Unterhaltung</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy region as picture</source>
        <translation>Bereich als Bild kopieren</translation>
    </message>
    <message>
        <source>Copy the answer with its sources</source>
        <translation>Antwort mit ihren Quellen kopieren</translation>
    </message>
    <message>
        <source>Copy the model to this USB stick or folder</source>
        <translation>Das Modell auf diesen USB-Stick oder in diesen Ordner kopieren</translation>
    </message>
    <message>
        <source>Copy with citation</source>
        <translation>Mit Quellenangabe kopieren</translation>
    </message>
    <message>
        <source>Copy words in region with citation</source>
        <translation>Wörter im Bereich mit Quellenangabe kopieren</translation>
    </message>
    <message>
        <source>Copying {name}</source>
        <translation>{name} wird kopiert</translation>
    </message>
    <message>
        <source>Copying “{name}” was stopped; nothing was kept.</source>
        <translation>Das Kopieren von „{name}“ wurde angehalten; nichts davon wurde behalten.</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>Korrigieren</translation>
    </message>
    <message>
        <source>Correct them: {complaints}.</source>
        <translation>Zu berichtigen: {complaints}.</translation>
    </message>
    <message>
        <source>Could not be answered.</source>
        <translation>Konnte nicht beantwortet werden.</translation>
    </message>
    <message>
        <source>Could not be read.</source>
        <translation>Konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Critic, seconds</source>
        <translation>Kritiker, Sekunden</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Ausschneiden</translation>
    </message>
    <message>
        <source>DANGER</source>
        <translation>GEFAHR</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Date of the revision</source>
        <translation>Datum der Revision</translation>
    </message>
    <message>
        <source>Decide</source>
        <translation>Entscheiden</translation>
    </message>
    <message>
        <source>Deciding what to do next</source>
        <translation>Der nächste Schritt wird entschieden</translation>
    </message>
    <message>
        <source>Decisions, searches, checks and corrections for every question, kept with the conversation in the library. Passwords and keys are left out.</source>
        <translation>Entscheidungen, Suchen, Prüfungen und Korrekturen jeder Frage, mit der Unterhaltung in der Bibliothek aufbewahrt. Passwörter und Schlüssel werden ausgelassen.</translation>
    </message>
    <message>
        <source>Deep research</source>
        <translation>Tiefenrecherche</translation>
    </message>
    <message>
        <source>Deep research is switched off in the settings: this is an ordinary search.</source>
        <translation>Die Tiefenrecherche ist in den Einstellungen ausgeschaltet: Dies ist eine gewöhnliche Suche.</translation>
    </message>
    <message>
        <source>Deep research: an analyst, a critic and a writer work on one question.</source>
        <translation>Tiefenrecherche: Ein Analyst, ein Kritiker und ein Schreiber bearbeiten eine Frage.</translation>
    </message>
    <message>
        <source>Default: {value}.</source>
        <translation>Standard: {value}.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Deleted “{title}”.</source>
        <translation>„{title}“ gelöscht.</translation>
    </message>
    <message>
        <source>Deleted “{title}”. No answer uses it any more.</source>
        <translation>„{title}“ gelöscht. Keine Antwort verwendet es mehr.</translation>
    </message>
    <message>
        <source>Deleting</source>
        <translation>Wird gelöscht</translation>
    </message>
    <message>
        <source>Describe at least one manual.</source>
        <translation>Beschreiben Sie mindestens ein Handbuch.</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Diagnostic bundle (*.zip)</source>
        <translation>Diagnosepaket (*.zip)</translation>
    </message>
    <message>
        <source>Dim pages in the dark</source>
        <translation>Seiten im Dunkeln abdunkeln</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Disk space to leave free</source>
        <translation>Frei zu haltender Speicherplatz</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Do not say this.</source>
        <translation>Dies nicht sagen.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Download {size}</source>
        <translation>{size} herunterladen</translation>
    </message>
    <message>
        <source>Download {title}</source>
        <translation>{title} herunterladen</translation>
    </message>
    <message>
        <source>Download “{title}”?</source>
        <translation>„{title}“ herunterladen?</translation>
    </message>
    <message>
        <source>Downloading {name}</source>
        <translation>{name} wird heruntergeladen</translation>
    </message>
    <message>
        <source>Downloading “{name}” was stopped; the next download carries on from there.</source>
        <translation>Das Herunterladen von „{name}“ wurde angehalten; beim nächsten Mal geht es dort weiter.</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>Herunterladen …</translation>
    </message>
    <message>
        <source>Draft e-mail…</source>
        <translation>E-Mail-Entwurf …</translation>
    </message>
    <message>
        <source>Draw a box on the page. Enter takes what is in view, Esc cancels.</source>
        <translation>Ziehen Sie einen Rahmen auf der Seite. Enter nimmt, was zu sehen ist, Esc bricht ab.</translation>
    </message>
    <message>
        <source>Drawing the cited pages</source>
        <translation>Zitierte Seiten werden gezeichnet</translation>
    </message>
    <message>
        <source>Drawing the cited pages and writing the job sheet</source>
        <translation>Die zitierten Seiten werden gezeichnet und das Arbeitsblatt wird geschrieben</translation>
    </message>
    <message>
        <source>Drawing the cited pages: {drawn} of {count}</source>
        <translation>Zitierte Seiten werden gezeichnet: {drawn} von {count}</translation>
    </message>
    <message>
        <source>Drop a model&apos;s folder, or a zip file with a model in it.</source>
        <translation>Legen Sie den Ordner eines Modells ab oder eine Zip-Datei mit einem Modell darin.</translation>
    </message>
    <message>
        <source>Edit the question and ask again</source>
        <translation>Frage bearbeiten und neu stellen</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <source>Enter saves it, Shift+Enter begins a new line. Leave a line empty between two notes.</source>
        <translation>Enter speichert, Umschalt+Enter beginnt eine neue Zeile. Lassen Sie zwischen zwei Notizen eine Zeile frei.</translation>
    </message>
    <message>
        <source>Enter the password for {title}</source>
        <translation>Passwort von {title} eingeben</translation>
    </message>
    <message>
        <source>Environment summarized due to size. Key points preserved.</source>
        <translation>Gekürzt, damit es passt.</translation>
    </message>
    <message>
        <source>Every statement cites a page of the manuals. Go by the manual: check it before you work on the equipment.</source>
        <translation>Jede Aussage nennt eine Seite der Handbücher. Maßgebend ist das Handbuch: Prüfen Sie es, bevor Sie an der Anlage arbeiten.</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>Explain a region</source>
        <translation>Einen Bereich erklären</translation>
    </message>
    <message>
        <source>Export conversation</source>
        <translation>Unterhaltung exportieren</translation>
    </message>
    <message>
        <source>Export notes</source>
        <translation>Notizen exportieren</translation>
    </message>
    <message>
        <source>Export the reasoning</source>
        <translation>Lösungsweg exportieren</translation>
    </message>
    <message>
        <source>Exported to {name}.</source>
        <translation>Nach {name} exportiert.</translation>
    </message>
    <message>
        <source>Exporting to {name}</source>
        <translation>Export nach {name}</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Tatsache</translation>
    </message>
    <message>
        <source>Note {n}</source>
        <translation>Notiz {n}</translation>
    </message>
    <message>
        <source>Open manuals and reports</source>
        <translation>Geöffnete Handbücher und Berichte</translation>
    </message>
    <message>
        <source>Point {which} of {n}:</source>
        <translation>Punkt {which} von {n}:</translation>
    </message>
    <message>
        <source>Points {which} of {n}:</source>
        <translation>Punkte {which} von {n}:</translation>
    </message>
    <message>
        <source>Read {pages}</source>
        <translation>{pages} gelesen</translation>
    </message>
    <message>
        <source>Recent questions</source>
        <translation>Letzte Fragen</translation>
    </message>
    <message>
        <source>Searched {manuals}</source>
        <translation>{manuals} durchsucht</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Field</translation>
    </message>
    <message>
        <source>Field plus</source>
        <translation>Field plus</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Filter manuals</source>
        <translation>Handbücher filtern</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find in this manual</source>
        <translation>In diesem Handbuch suchen</translation>
    </message>
    <message>
        <source>Finds pages by how they look: drawings, panels, scans.</source>
        <translation>Findet Seiten nach ihrem Aussehen: Zeichnungen, Schalttafeln, Scans.</translation>
    </message>
    <message>
        <source>Finds pages by how they look; half the size of ColQwen2.5.</source>
        <translation>Findet Seiten nach ihrem Aussehen; halb so groß wie ColQwen2.5.</translation>
    </message>
    <message>
        <source>Rereads the best passages</source>
        <translation>Liest die besten Textstellen noch einmal</translation>
    </message>
    <message>
        <source>Rereads the best passages for a question, in many languages.</source>
        <translation>Liest die besten Textstellen zu einer Frage noch einmal, in vielen Sprachen.</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Fit page</source>
        <translation>Ganze Seite</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>Seitenbreite</translation>
    </message>
    <message>
        <source>Fits; {title} can do more.</source>
        <translation>Passt; {title} kann mehr.</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Zuklappen</translation>
    </message>
    <message>
        <source>Collapse the library</source>
        <translation>Bibliothek einklappen</translation>
    </message>
    <message>
        <source>Model folders in Hugging Face or MLX layout work as well.</source>
        <translation>Ordner mit Modellen im Aufbau von Hugging Face oder MLX gehen auch.</translation>
    </message>
    <message>
        <source>For example 2026-03</source>
        <translation>Zum Beispiel 2026-03</translation>
    </message>
    <message>
        <source>For example HX-200 booster pump station</source>
        <translation>Zum Beispiel Druckerhöhungsanlage HX-200</translation>
    </message>
    <message>
        <source>For example Installation manual</source>
        <translation>Zum Beispiel Installationshandbuch</translation>
    </message>
    <message>
        <source>For example Pump P-200</source>
        <translation>Zum Beispiel Pumpe P-200</translation>
    </message>
    <message>
        <source>For example Rev C</source>
        <translation>Zum Beispiel Rev. C</translation>
    </message>
    <message>
        <source>For example SITE 12</source>
        <translation>Zum Beispiel STANDORT 12</translation>
    </message>
    <message>
        <source>For example bar, V, Nm</source>
        <translation>Zum Beispiel bar, V, Nm</translation>
    </message>
    <message>
        <source>For example installers, electricians</source>
        <translation>Zum Beispiel Installateure, Elektriker</translation>
    </message>
    <message>
        <source>For example instructions</source>
        <translation>Zum Beispiel Anweisungen</translation>
    </message>
    <message>
        <source>For example shift lead</source>
        <translation>Zum Beispiel Schichtleitung</translation>
    </message>
    <message>
        <source>For example what beginners call it</source>
        <translation>Zum Beispiel wie Anfänger es nennen</translation>
    </message>
    <message>
        <source>For example what is special about where you work: outdoors, explosive atmosphere.</source>
        <translation>Zum Beispiel was an Ihrem Arbeitsort besonders ist: im Freien, explosionsgefährdete Atmosphäre.</translation>
    </message>
    <message>
        <source>For example your trade, what you know well, how you like your answers.</source>
        <translation>Zum Beispiel Ihr Beruf, was Sie gut kennen, wie Sie Antworten mögen.</translation>
    </message>
    <message>
        <source>For example: On the P-200 the seal lasts 3 months here, not 6, because of the sand in the water.</source>
        <translation>Zum Beispiel: An der P-200 hält die Dichtung hier 3 Monate, nicht 6, wegen des Sands im Wasser.</translation>
    </message>
    <message>
        <source>For example: Pump P-200 &gt; has part &gt; Shaft seal</source>
        <translation>Zum Beispiel: Pumpe P-200 &gt; enthält &gt; Wellendichtung</translation>
    </message>
    <message>
        <source>For example: You are a technical assistant for…</source>
        <translation>Zum Beispiel: Sie sind technischer Assistent für …</translation>
    </message>
    <message>
        <source>For larger computers</source>
        <translation>Für größere Computer</translation>
    </message>
    <message>
        <source>For one draft.</source>
        <translation>Für einen Entwurf.</translation>
    </message>
    <message>
        <source>For one review.</source>
        <translation>Für eine Durchsicht.</translation>
    </message>
    <message>
        <source>For the report.</source>
        <translation>Für den Bericht.</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Found {num_objects} pages in {documents} manuals for &apos;{query}&apos;. Best: page {page}. All: {page_numbers}.</source>
        <translation>Gefundene Seiten zu „{query}“: {num_objects}, aus Handbüchern: {documents}. Beste: Seite {page}. Alle: {page_numbers}.</translation>
    </message>
    <message>
        <source>Found {num_objects} pages with visual matches. Pages: {page_numbers}.</source>
        <translation>Nach dem Aussehen gefundene Seiten: {num_objects}. Seiten: {page_numbers}.</translation>
    </message>
    <message>
        <source>Framed region</source>
        <translation>Gerahmter Bereich</translation>
    </message>
    <message>
        <source>French</source>
        <translation>Französisch</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Deutsch</translation>
    </message>
    <message>
        <source>Get a model without a network</source>
        <translation>Ein Modell ohne Netz bekommen</translation>
    </message>
    <message>
        <source>Give the product a name.</source>
        <translation>Geben Sie dem Produkt einen Namen.</translation>
    </message>
    <message>
        <source>Glove mode</source>
        <translation>Handschuhmodus</translation>
    </message>
    <message>
        <source>Go to a manual, page, heading, action or question</source>
        <translation>Zu einem Handbuch, einer Seite, Überschrift, Aktion oder Frage gehen</translation>
    </message>
    <message>
        <source>Go to anything</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>Go to anything…</source>
        <translation>Gehe zu …</translation>
    </message>
    <message>
        <source>Go to page {page}</source>
        <translation>Gehe zu Seite {page}</translation>
    </message>
    <message>
        <source>Good enough.</source>
        <translation>Gut genug.</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Groundwork and its PDF reader have not tried to reach any network since they were started. Downloading a model, when you ask for one, is not counted.</source>
        <translation>Groundwork und sein PDF-Leser haben seit dem Start nicht versucht, ein Netz zu erreichen. Das Herunterladen eines Modells, wenn Sie es verlangen, wird nicht gezählt.</translation>
    </message>
    <message>
        <source>Groundwork and the {n} parts it is made of.</source>
        <translation>Groundwork und die {n} Teile, aus denen es besteht.</translation>
    </message>
    <message>
        <source>This comes with Groundwork. What you change is kept as your own copy.</source>
        <translation>Dies bringt Groundwork mit. Was Sie ändern, wird als Ihre eigene Kopie behalten.</translation>
    </message>
    <message>
        <source>Groundwork cannot run this kind of model, {kind}{value}.{code} It can run: {known}.</source>
        <translation>Groundwork kann Modelle dieser Art nicht ausführen: {kind}{value}.{code} Ausführbar sind: {known}.</translation>
    </message>
    <message>
        <source>Groundwork closed before it was finished.</source>
        <translation>Groundwork wurde vorher geschlossen.</translation>
    </message>
    <message>
        <source>Groundwork does not know models of the kind &apos;{family}&apos;</source>
        <translation>Groundwork kennt keine Modelle der Art „{family}“</translation>
    </message>
    <message>
        <source>Groundwork does not know where to download “{title}”. Import it from a folder.</source>
        <translation>Groundwork weiß nicht, wo „{title}“ heruntergeladen werden kann. Importieren Sie es aus einem Ordner.</translation>
    </message>
    <message>
        <source>Groundwork does not use this file.</source>
        <translation>Groundwork verwendet diese Datei nicht.</translation>
    </message>
    <message>
        <source>Groundwork stopped before the answer was complete.</source>
        <translation>Groundwork wurde beendet, bevor die Antwort vollständig war.</translation>
    </message>
    <message>
        <source>Groundwork reads safetensors only: get the model in that or in MLX format.</source>
        <translation>Groundwork liest nur safetensors: Beschaffen Sie das Modell in diesem oder im MLX-Format.</translation>
    </message>
    <message>
        <source>Suggested product: “{product}” ({manuals})</source>
        <translation>Vorgeschlagenes Produkt: „{product}“ ({manuals})</translation>
    </message>
    <message>
        <source>Suggested product: “{product}”, with a manual for {one} and one for {other}</source>
        <translation>Vorgeschlagenes Produkt: „{product}“, mit einem Handbuch für {one} und einem für {other}</translation>
    </message>
    <message>
        <source>Groundwork uses {process} in all; {free} of this computer&apos;s {machine} is free.</source>
        <translation>Groundwork braucht insgesamt {process}; {free} von {machine} dieses Computers sind frei.</translation>
    </message>
    <message>
        <source>Written by Groundwork from the manuals, not yet checked. Correct what is wrong; then it is yours.</source>
        <translation>Von Groundwork aus den Handbüchern geschrieben, noch nicht geprüft. Korrigieren Sie, was falsch ist; dann gehört es Ihnen.</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Heat map for the question</source>
        <translation>Heatmap der Frage</translation>
    </message>
    <message>
        <source>Heat map for the whole question</source>
        <translation>Heatmap der ganzen Frage</translation>
    </message>
    <message>
        <source>Heat map for {words}</source>
        <translation>Heatmap von {words}</translation>
    </message>
    <message>
        <source>Hide the models for larger computers</source>
        <translation>Modelle für größere Computer ausblenden</translation>
    </message>
    <message>
        <source>Hide what the answer marked</source>
        <translation>Markierungen der Antwort ausblenden</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>High: {count} of {read} sources cited, {rounds}</source>
        <translation>Hoch: {count} von {read} Quellen zitiert, {rounds}</translation>
    </message>
    <message>
        <source>Highlight</source>
        <translation>Markieren</translation>
    </message>
    <message>
        <source>Highlight and comment</source>
        <translation>Markieren und kommentieren</translation>
    </message>
    <message>
        <source>Highlight removed</source>
        <translation>Markierung entfernt</translation>
    </message>
    <message>
        <source>Highlight the selected words</source>
        <translation>Die ausgewählten Wörter markieren</translation>
    </message>
    <message>
        <source>Highlight {n} of {count}</source>
        <translation>Markierung {n} von {count}</translation>
    </message>
    <message>
        <source>Highlight: {words}</source>
        <translation>Markierung: {words}</translation>
    </message>
    <message>
        <source>Highlights</source>
        <translation>Markierungen</translation>
    </message>
    <message>
        <source>Highlights and comments</source>
        <translation>Markierungen und Kommentare</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Hours between backups</source>
        <translation>Stunden zwischen Sicherungen</translation>
    </message>
    <message>
        <source>Trust level of a document when nobody has set one.</source>
        <translation>Vertrauensstufe eines Dokuments, wenn niemand eine festgelegt hat.</translation>
    </message>
    <message>
        <source>Trust level</source>
        <translation>Vertrauensstufe</translation>
    </message>
    <message>
        <source>How long and how often the agent may try to answer one question, and what it is told.</source>
        <translation>Wie lange und wie oft der Agent versuchen darf, eine Frage zu beantworten, und was ihm mitgeteilt wird.</translation>
    </message>
    <message>
        <source>How manuals are added to the library.</source>
        <translation>Wie Handbücher zur Bibliothek hinzugefügt werden.</translation>
    </message>
    <message>
        <source>Pages that one search passes to the answer.</source>
        <translation>Seiten, die eine Suche für die Antwort liefert.</translation>
    </message>
    <message>
        <source>How many pages to show when the answer is not in the manuals.</source>
        <translation>Wie viele Seiten gezeigt werden, wenn die Antwort nicht in den Handbüchern steht.</translation>
    </message>
    <message>
        <source>How much a search returns.</source>
        <translation>Wie viel eine Suche liefert.</translation>
    </message>
    <message>
        <source>How often the analyst may act on the critic&apos;s objections.</source>
        <translation>Wie oft der Analyst die Einwände des Kritikers einarbeiten darf.</translation>
    </message>
    <message>
        <source>How questions are answered</source>
        <translation>Wie Fragen beantwortet werden</translation>
    </message>
    <message>
        <source>How the manuals fit together</source>
        <translation>Wie die Handbücher zusammengehören</translation>
    </message>
    <message>
        <source>How the window looks, and which language it uses.</source>
        <translation>Wie das Fenster aussieht und welche Sprache es spricht.</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Zusammenhänge</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Mode: {mode}</source>
        <translation>Modus: {mode}</translation>
    </message>
    <message>
        <source>I am working at</source>
        <translation>Ich arbeite an</translation>
    </message>
    <message>
        <source>I did not find the answer in the manual you selected.</source>
        <translation>Ich habe die Antwort im gewählten Handbuch nicht gefunden.</translation>
    </message>
    <message>
        <source>I did not find the answer in the {n} manuals you selected.</source>
        <translation>Ich habe die Antwort in den {n} gewählten Handbüchern nicht gefunden.</translation>
    </message>
    <message>
        <source>I did not find the answer in your manuals.</source>
        <translation>Ich habe die Antwort in Ihren Handbüchern nicht gefunden.</translation>
    </message>
    <message>
        <source>Import a folder…</source>
        <translation>Ordner importieren …</translation>
    </message>
    <message>
        <source>Import a model&apos;s folder</source>
        <translation>Ordner eines Modells importieren</translation>
    </message>
    <message>
        <source>Import models from zip files</source>
        <translation>Modelle aus Zip-Dateien importieren</translation>
    </message>
    <message>
        <source>Import notes</source>
        <translation>Notizen importieren</translation>
    </message>
    <message>
        <source>Import {n} models</source>
        <translation>{n} Modelle importieren</translation>
    </message>
    <message>
        <source>Import “{name}”</source>
        <translation>„{name}“ importieren</translation>
    </message>
    <message>
        <source>Importing {name}</source>
        <translation>{name} wird importiert</translation>
    </message>
    <message>
        <source>Importing “{name}” was stopped; nothing was kept.</source>
        <translation>Das Importieren von „{name}“ wurde angehalten; nichts davon wurde behalten.</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <source>In Groundwork: {purpose}</source>
        <translation>In Groundwork: {purpose}</translation>
    </message>
    <message>
        <source>The region on page {page} reads:</source>
        <translation>Im Bereich von Seite {page} steht:</translation>
    </message>
    <message>
        <source>In this library: {manuals}</source>
        <translation>In dieser Bibliothek: {manuals}</translation>
    </message>
    <message>
        <source>In use now</source>
        <translation>Wird gerade benutzt</translation>
    </message>
    <message>
        <source>Indexing is paused: battery at {n} %. It resumes when plugged in.</source>
        <translation>Indexierung wartet: Akku bei {n} %. Sie geht weiter, sobald der Computer am Netzteil ist.</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>Installiert</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Anweisung</translation>
    </message>
    <message>
        <source>Is this right?</source>
        <translation>Stimmt das?</translation>
    </message>
    <message>
        <source>The model cannot run here: {reason}.</source>
        <translation>Das Modell kann hier nicht laufen: {reason}.</translation>
    </message>
    <message>
        <source>This failed earlier in the conversation; now using what worked.</source>
        <translation>Das ist in dieser Unterhaltung schon fehlgeschlagen; nun so, wie es gelang.</translation>
    </message>
    <message>
        <source>More than {most_entries} files: this is not a model.</source>
        <translation>Mehr als {most_entries} Dateien: Das ist kein Modell.</translation>
    </message>
    <message>
        <source>More than {most_files} files: this is not a model.</source>
        <translation>Mehr als {most_files} Dateien: Das ist kein Modell.</translation>
    </message>
    <message>
        <source>No weights found. {hint}</source>
        <translation>Keine Gewichte gefunden. {hint}</translation>
    </message>
    <message>
        <source>More than {most_files} files: this is not a library.</source>
        <translation>Mehr als {most_files} Dateien: Das ist keine Bibliothek.</translation>
    </message>
    <message>
        <source>The file library.db is missing.</source>
        <translation>Die Datei library.db fehlt.</translation>
    </message>
    <message>
        <source>Two files in it have the same name.</source>
        <translation>Zwei Dateien darin haben denselben Namen.</translation>
    </message>
    <message>
        <source>Copied into the library; you can ask questions in seconds.</source>
        <translation>Wird in die Bibliothek kopiert; nach Sekunden können Sie fragen.</translation>
    </message>
    <message>
        <source>Everything is copied; you can remove the USB stick afterwards.</source>
        <translation>Alles wird kopiert; danach können Sie den USB-Stick abziehen.</translation>
    </message>
    <message>
        <source>This is not a library exported by Groundwork.</source>
        <translation>Das ist keine von Groundwork exportierte Bibliothek.</translation>
    </message>
    <message>
        <source>This is not a JSON object.</source>
        <translation>Das ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>The file is protected with a password.</source>
        <translation>Die Datei ist mit einem Passwort geschützt.</translation>
    </message>
    <message>
        <source>The zip file is protected with a password. Unpack it first, then import the folder.</source>
        <translation>Die Zip-Datei ist mit einem Passwort geschützt. Entpacken Sie sie zuerst und importieren Sie den Ordner.</translation>
    </message>
    <message>
        <source>The value must be a multiple of {n}.</source>
        <translation>Der Wert muss ein Vielfaches von {n} sein.</translation>
    </message>
    <message>
        <source>The value must be at least {n}.</source>
        <translation>Der Wert muss mindestens {n} sein.</translation>
    </message>
    <message>
        <source>The value must be at most {n}.</source>
        <translation>Der Wert darf höchstens {n} sein.</translation>
    </message>
    <message>
        <source>The value must be more than {n}.</source>
        <translation>Der Wert muss größer als {n} sein.</translation>
    </message>
    <message>
        <source>The text must not be longer than {n} characters.</source>
        <translation>Der Text darf nicht länger als {n} Zeichen sein.</translation>
    </message>
    <message>
        <source>Started automatically.</source>
        <translation>Automatisch gestartet.</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>Italienisch</translation>
    </message>
    <message>
        <source>Caption: “{text}”</source>
        <translation>Beschriftung: „{text}“</translation>
    </message>
    <message>
        <source>The model&apos;s files ({size}) will be deleted from this computer. To use the model again, import it from a USB stick or download it. Manuals and answers stay.</source>
        <translation>Die Dateien des Modells ({size}) werden von diesem Computer gelöscht. Um das Modell wieder zu verwenden, importieren Sie es von einem USB-Stick oder laden es herunter. Handbücher und Antworten bleiben.</translation>
    </message>
    <message>
        <source>The zip file is damaged or incomplete. Copy or download it again.</source>
        <translation>Die Zip-Datei ist beschädigt oder unvollständig. Kopieren Sie sie neu oder laden Sie sie erneut herunter.</translation>
    </message>
    <message>
        <source>The files in it overlap: made to fill the disk.</source>
        <translation>Die Dateien darin überlappen sich: gemacht, um den Datenträger zu füllen.</translation>
    </message>
    <message>
        <source>The language model is installed, and {here}.</source>
        <translation>Das Sprachmodell ist installiert, und {here}.</translation>
    </message>
    <message>
        <source>The file list is not in the form Groundwork writes.</source>
        <translation>Die Dateiliste ist nicht so, wie Groundwork sie schreibt.</translation>
    </message>
    <message>
        <source>The file list is too long.</source>
        <translation>Die Dateiliste ist zu lang.</translation>
    </message>
    <message>
        <source>groundwork-model.json belongs to another model, {id}.</source>
        <translation>groundwork-model.json gehört zu einem anderen Modell, {id}.</translation>
    </message>
    <message>
        <source>The pages appear in a moment.</source>
        <translation>Die Seiten erscheinen gleich.</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Job sheet, {when}</source>
        <translation>Arbeitsblatt, {when}</translation>
    </message>
    <message>
        <source>Job sheet: one page to print</source>
        <translation>Arbeitsblatt: eine Seite zum Drucken</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastaturkürzel</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Known: {name}</source>
        <translation>Bekannt: {name}</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Largest drawn page</source>
        <translation>Größte gezeichnete Seite</translation>
    </message>
    <message>
        <source>External link, not opened</source>
        <translation>Externer Link, wird nicht geöffnet</translation>
    </message>
    <message>
        <source>Minimum confidence</source>
        <translation>Mindestsicherheit</translation>
    </message>
    <message>
        <source>Leave both empty for a manual that belongs to no site.</source>
        <translation>Lassen Sie beides leer, wenn ein Handbuch zu keinem Standort gehört.</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>Leave out note {n}</source>
        <translation>Notiz {n} auslassen</translation>
    </message>
    <message>
        <source>Leave this manual out</source>
        <translation>Dieses Handbuch auslassen</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Licence: {name}</source>
        <translation>Lizenz: {name}</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Licences…</source>
        <translation>Lizenzen …</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light for daylight, dark for dim rooms.</source>
        <translation>Hell für Tageslicht, Dunkel für dunkle Räume.</translation>
    </message>
    <message>
        <source>Limits for the process that reads untrusted PDF files.</source>
        <translation>Grenzen für den Prozess, der fremde PDF-Dateien liest.</translation>
    </message>
    <message>
        <source>Line {line} is longer than {most} characters.</source>
        <translation>Zeile {line} ist länger als {most} Zeichen.</translation>
    </message>
    <message>
        <source>Line {number} is not in the form: thing &gt; relation &gt; thing.</source>
        <translation>Zeile {number} hat nicht die Form: Ding &gt; Beziehung &gt; Ding.</translation>
    </message>
    <message>
        <source>Linked page</source>
        <translation>Verknüpfte Seite</translation>
    </message>
    <message>
        <source>Linked {page}</source>
        <translation>{page} verknüpft</translation>
    </message>
    <message>
        <source>Links on this page</source>
        <translation>Verknüpfungen auf dieser Seite</translation>
    </message>
    <message>
        <source>Lite</source>
        <translation>Lite</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>Geladen</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Wird geladen</translation>
    </message>
    <message>
        <source>Loading the vision model: {share} %</source>
        <translation>Bildmodell wird geladen: {share} %</translation>
    </message>
    <message>
        <source>Loading {title}</source>
        <translation>{title} wird geladen</translation>
    </message>
    <message>
        <source>Loading, {n}</source>
        <translation>Wird geladen, {n}</translation>
    </message>
    <message>
        <source>Longest answer in tokens</source>
        <translation>Längste Antwort in Token</translation>
    </message>
    <message>
        <source>Checking this computer…</source>
        <translation>Computer wird geprüft …</translation>
    </message>
    <message>
        <source>Looking for sources</source>
        <translation>Quellen werden gesucht</translation>
    </message>
    <message>
        <source>Finding where the page matches…</source>
        <translation>Es wird gesucht, wo die Seite passt …</translation>
    </message>
    <message>
        <source>Show matches for:</source>
        <translation>Treffer zeigen für:</translation>
    </message>
    <message>
        <source>Low: {count} of {read} sources cited, {rounds}</source>
        <translation>Niedrig: {count} von {read} Quellen zitiert, {rounds}</translation>
    </message>
    <message>
        <source>Maker’s manual or standard</source>
        <translation>Handbuch des Herstellers oder Norm</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Manual pages</source>
        <translation>Seiten des Handbuchs</translation>
    </message>
    <message>
        <source>Manuals</source>
        <translation>Handbücher</translation>
    </message>
    <message>
        <source>Manuals to search</source>
        <translation>Zu durchsuchende Handbücher</translation>
    </message>
    <message>
        <source>Manuals to search: {text}</source>
        <translation>Zu durchsuchende Handbücher: {text}</translation>
    </message>
    <message>
        <source>Mark a page to find it again: {keys}</source>
        <translation>Eine Seite merken, um sie wiederzufinden: {keys}</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Medium: {count} of {read} sources cited, {rounds}</source>
        <translation>Mittel: {count} von {read} Quellen zitiert, {rounds}</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Memory and profiles</source>
        <translation>Arbeitsspeicher und Profile</translation>
    </message>
    <message>
        <source>Memory for models</source>
        <translation>Arbeitsspeicher für Modelle</translation>
    </message>
    <message>
        <source>Model memory</source>
        <translation>Arbeitsspeicher der Modelle</translation>
    </message>
    <message>
        <source>Memory {used} of {budget} GB</source>
        <translation>Speicher {used} von {budget} GB</translation>
    </message>
    <message>
        <source>Minimize</source>
        <translation>Minimieren</translation>
    </message>
    <message>
        <source>Model that answers</source>
        <translation>Modell, das antwortet</translation>
    </message>
    <message>
        <source>Model that finds pages by appearance</source>
        <translation>Modell, das Seiten nach ihrem Aussehen findet</translation>
    </message>
    <message>
        <source>Model that finds passages by meaning</source>
        <translation>Modell, das Textstellen nach ihrer Bedeutung findet</translation>
    </message>
    <message>
        <source>Model that reads pictures</source>
        <translation>Modell, das Bilder liest</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>Modelle …</translation>
    </message>
    <message>
        <source>The check compares the site&apos;s notes with the manuals, and no note matches. “All sources” reads everything.</source>
        <translation>Die Prüfung vergleicht die Notizen des Standorts mit den Handbüchern, und keine Notiz passt. „Alle Quellen“ liest alles.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More for {title}</source>
        <translation>Mehr zu {title}</translation>
    </message>
    <message>
        <source>More actions for the region</source>
        <translation>Mehr zum Bereich</translation>
    </message>
    <message>
        <source>Maximum sources</source>
        <translation>Höchstzahl an Quellen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name the file or title you mean.</source>
        <translation>Nennen Sie die Datei oder den Titel, der gemeint ist.</translation>
    </message>
    <message>
        <source>Nearest pages</source>
        <translation>Nächste Seiten</translation>
    </message>
    <message>
        <source>Nearly full: the next model may have to wait for room.
{rest}</source>
        <translation>Fast voll: Das nächste Modell muss vielleicht auf Platz warten.
{rest}</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>New note</source>
        <translation>Neue Notiz</translation>
    </message>
    <message>
        <source>New product</source>
        <translation>Neues Produkt</translation>
    </message>
    <message>
        <source>New…</source>
        <translation>Neu …</translation>
    </message>
    <message>
        <source>Next highlight</source>
        <translation>Nächste Markierung</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>Nächste Seite</translation>
    </message>
    <message>
        <source>No hits</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>No language model: answers are quoted from the manuals, each with its page.</source>
        <translation>Kein Sprachmodell: Antworten werden aus den Handbüchern zitiert, jede mit ihrer Seite.</translation>
    </message>
    <message>
        <source>No mail program here can open drafts. The draft is saved: {path}</source>
        <translation>Kein Mailprogramm öffnet hier Entwürfe. Der Entwurf ist gespeichert: {path}</translation>
    </message>
    <message>
        <source>No manual or question leaves this computer.</source>
        <translation>Kein Handbuch und keine Frage verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>No manual matches the search and filters.</source>
        <translation>Kein Handbuch passt zu Suche und Filtern.</translation>
    </message>
    <message>
        <source>No manual is called “{text}”.</source>
        <translation>Kein Handbuch heißt „{text}“.</translation>
    </message>
    <message>
        <source>No manuals yet</source>
        <translation>Noch keine Handbücher</translation>
    </message>
    <message>
        <source>No model is installed, so Groundwork finds the passage and quotes it word for word (Lite). That needs nothing else. With models it also writes answers and reads pictures of pages.</source>
        <translation>Es ist kein Modell installiert; Groundwork findet die Stelle und zitiert sie wörtlich (Lite). Mehr braucht es dafür nicht. Mit Modellen schreibt es auch Antworten und liest Bilder von Seiten.</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Es ist kein Modell geladen.</translation>
    </message>
    <message>
        <source>No reasoning was recorded for this question. Turn on recording in the settings.</source>
        <translation>Zu dieser Frage wurde kein Lösungsweg aufgezeichnet. Das Aufzeichnen wird in den Einstellungen eingeschaltet.</translation>
    </message>
    <message>
        <source>No setting found.</source>
        <translation>Keine Einstellung gefunden.</translation>
    </message>
    <message>
        <source>This region has no words either. A vision model, which you can install on the Models page, explains drawings.</source>
        <translation>Auch in diesem Bereich stehen keine Wörter. Mit einem Bildmodell, das die Seite „Modelle“ installiert, werden Zeichnungen erklärt.</translation>
    </message>
    <message>
        <source>Not installed</source>
        <translation>Nicht installiert</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>Noch nicht gespeichert</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note {n} of {all}</source>
        <translation>Notiz {n} von {all}</translation>
    </message>
    <message>
        <source>Note: {text}</source>
        <translation>Notiz: {text}</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Notes ({n})</source>
        <translation>Notizen ({n})</translation>
    </message>
    <message>
        <source>Notes about the chosen asset and site appear below the manuals&apos; answer, each with its date and its author&apos;s role.</source>
        <translation>Notizen zur gewählten Anlage und zum Standort stehen unter der Antwort der Handbücher, jede mit Datum und Rolle des Verfassers.</translation>
    </message>
    <message>
        <source>Notes as JSON (*.json *.JSON)</source>
        <translation>Notizen als JSON (*.json *.JSON)</translation>
    </message>
    <message>
        <source>Notes as JSON (*.json)</source>
        <translation>Notizen als JSON (*.json)</translation>
    </message>
    <message>
        <source>Notes from your site, not from a manual</source>
        <translation>Notizen Ihres Standorts, nicht aus einem Handbuch</translation>
    </message>
    <message>
        <source>Notes looked at in one comparison with the manuals.</source>
        <translation>Notizen, die ein Vergleich mit den Handbüchern betrachtet.</translation>
    </message>
    <message>
        <source>Notes, where there are any</source>
        <translation>Notizen, wo es welche gibt</translation>
    </message>
    <message>
        <source>On a Mac: MLX, or torch with colpali-engine on its graphics processor (MPS). Both give the same vectors; &apos;auto&apos; uses MLX where it is installed.</source>
        <translation>Auf einem Mac mit MLX oder mit torch und colpali-engine auf dem Grafikprozessor (MPS). Beide liefern dieselben Vektoren; „auto“ nimmt MLX, wo es installiert ist.</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>PDF files (*.pdf)</source>
        <translation>PDF-Dateien (*.pdf)</translation>
    </message>
    <message>
        <source>Pictures of pages in every search</source>
        <translation>Seitenbilder bei jeder Suche</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>Rosa</translation>
    </message>
    <message>
        <source>Read {place}: {num_objects} blocks in reading order.</source>
        <translation>Gelesen: {place}, Abschnitte in Lesereihenfolge: {num_objects}.</translation>
    </message>
    <message>
        <source>Reading made no progress ({stage}).</source>
        <translation>Das Lesen kam nicht voran ({stage}).</translation>
    </message>
    <message>
        <source>Recommended now</source>
        <translation>Jetzt empfohlen</translation>
    </message>
    <message>
        <source>Rejected: {objections}.</source>
        <translation>Zurückgewiesen: {objections}.</translation>
    </message>
    <message>
        <source>Remove highlight</source>
        <translation>Markierung entfernen</translation>
    </message>
    <message>
        <source>Save a copy</source>
        <translation>Kopie speichern</translation>
    </message>
    <message>
        <source>Save copy with highlights…</source>
        <translation>Kopie mit Markierungen speichern …</translation>
    </message>
    <message>
        <source>Second viewer</source>
        <translation>Zweite Ansicht</translation>
    </message>
    <message>
        <source>Select words first: drag over them, or hold Shift and press →</source>
        <translation>Wählen Sie zuerst Wörter aus: mit der Maus darüberziehen oder Umschalt halten und → drücken</translation>
    </message>
    <message>
        <source>Select words on a page and choose a colour, or press M. C adds a comment.</source>
        <translation>Wählen Sie Wörter auf einer Seite aus und dann eine Farbe, oder drücken Sie M. C fügt einen Kommentar hinzu.</translation>
    </message>
    <message>
        <source>Show it on its page</source>
        <translation>Auf der Seite zeigen</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>The highlight could not be saved: {why}</source>
        <translation>Die Markierung konnte nicht gespeichert werden: {why}</translation>
    </message>
    <message>
        <source>The research took longer than {n} seconds.</source>
        <translation>Die Recherche dauerte länger als {n} Sekunden.</translation>
    </message>
    <message>
        <source>The {stage} failed: {problem}.</source>
        <translation>Der Teil „{stage}“ ist fehlgeschlagen: {problem}.</translation>
    </message>
    <message>
        <source>The {stage} took longer than {n} seconds.</source>
        <translation>Der Teil „{stage}“ brauchte länger als {n} Sekunden.</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>Rückgängig gemacht</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>Violett</translation>
    </message>
    <message>
        <source>Wait on battery below</source>
        <translation>Im Akkubetrieb warten unter</translation>
    </message>
    <message>
        <source>Ask next</source>
        <translation>Als Nächstes fragen</translation>
    </message>
    <message>
        <source> The model needs code of its own, which Groundwork never runs.</source>
        <translation> Das Modell braucht eigenen Code, den Groundwork nie ausführt.</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source> and {missing} more</source>
        <translation> und {missing} weitere</translation>
    </message>
    <message>
        <source>&apos;rules&apos; compares every sentence with the cited words. &apos;auto&apos; also asks the language model, if there is one, when the rules find something wrong, or when the answer is a procedure or cites several pages. &apos;model&apos; asks it about every answer, which takes longer.</source>
        <translation>„rules“ vergleicht jeden Satz mit den zitierten Wörtern. „auto“ fragt auch das Sprachmodell, wo es eines gibt, wenn die Regeln etwas Falsches fanden oder die Antwort ein Verfahren ist oder mehrere Seiten nennt. „model“ fragt es bei jeder Antwort; das dauert länger.</translation>
    </message>
    <message>
        <source>The library&apos;s own folders are not watched.</source>
        <translation>Ein Ordner der Bibliothek selbst wird nicht beobachtet.</translation>
    </message>
    <message>
        <source>Write a revision&apos;s date as 2026, 2026-03 or 2026-03-01.</source>
        <translation>Das Datum einer Revision schreibt man 2026, 2026-03 oder 2026-03-01.</translation>
    </message>
    <message>
        <source>A tier is a number from {best} to {last}.</source>
        <translation>Eine Stufe ist eine Zahl von {best} bis {last}.</translation>
    </message>
    <message>
        <source>A type needs a name, such as &apos;bulletin&apos;.</source>
        <translation>Eine Art braucht einen Namen, etwa „bulletin“.</translation>
    </message>
    <message>
        <source>{node} has different models or a different Groundwork version ({theirs}; here {ours}). Install the same ones on every computer.</source>
        <translation>{node} hat andere Modelle oder ein anderes Groundwork ({theirs}; hier {ours}). Installieren Sie auf jedem Computer dieselben.</translation>
    </message>
    <message>
        <source>Add your manuals</source>
        <translation>Handbücher hinzufügen</translation>
    </message>
    <message>
        <source>All notes</source>
        <translation>Alle Notizen</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Another file of questions is running. Stop it first.</source>
        <translation>Es läuft schon eine Datei mit Fragen. Halten Sie diese zuerst an.</translation>
    </message>
    <message>
        <source>Answered.</source>
        <translation>Beantwortet.</translation>
    </message>
    <message>
        <source>Ask the questions in a file</source>
        <translation>Die Fragen einer Datei stellen</translation>
    </message>
    <message>
        <source>Ask whoever made it for a new copy, or print it to a new PDF and add that.</source>
        <translation>Bitten Sie den Ersteller um eine neue Kopie, oder drucken Sie die Datei in eine neue PDF-Datei und fügen Sie diese hinzu.</translation>
    </message>
    <message>
        <source>Ask your equipment manuals. Every answer shows the place on the page that it comes from. Nothing leaves this computer.</source>
        <translation>Fragen Sie Ihre Gerätehandbücher. Jede Antwort zeigt die Stelle auf der Seite, von der sie stammt. Nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>Asked back</source>
        <translation>Rückfrage</translation>
    </message>
    <message>
        <source>Asked which one was meant</source>
        <translation>Nachgefragt, was gemeint ist</translation>
    </message>
    <message>
        <source>Reset to built-in</source>
        <translation>Zurück zum Eingebauten</translation>
    </message>
    <message>
        <source>Back to the text</source>
        <translation>Zurück zum Text</translation>
    </message>
    <message>
        <source>Check that the disk is connected and try again.</source>
        <translation>Prüfen Sie, ob der Datenträger angeschlossen ist, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Check the disk and the permissions of knowledge.db in the library&apos;s folder. If it is damaged, move it aside and import an export of the notes.</source>
        <translation>Prüfen Sie den Datenträger und die Rechte von knowledge.db im Ordner der Bibliothek. Wenn die Datei beschädigt ist, legen Sie sie beiseite und importieren Sie einen Export der Notizen.</translation>
    </message>
    <message>
        <source>Check the page: this may not be the answer</source>
        <translation>Seite prüfen: Das ist vielleicht nicht die Antwort</translation>
    </message>
    <message>
        <source>Check the pages: one of these places may be the answer</source>
        <translation>Seiten prüfen: Eine dieser Stellen könnte die Antwort sein</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>Check the permissions of the file and its folder, then try again.</source>
        <translation>Prüfen Sie die Rechte der Datei und ihres Ordners, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Check the permissions of the folder, or choose another one with --library.</source>
        <translation>Prüfen Sie die Rechte des Ordners, oder wählen Sie mit --library einen anderen.</translation>
    </message>
    <message>
        <source>Choose another model on the Models page, or raise the limits in the settings.</source>
        <translation>Wählen Sie ein anderes Modell auf der Seite „Modelle“, oder erhöhen Sie die Grenzen in den Einstellungen.</translation>
    </message>
    <message>
        <source>Choose another one, or begin a new one.</source>
        <translation>Wählen Sie eine andere, oder beginnen Sie eine neue.</translation>
    </message>
    <message>
        <source>Choose another one: &apos;groundwork library restore&apos; lists them. The library was not changed.</source>
        <translation>Wählen Sie eine andere: „groundwork library restore“ führt sie auf. Die Bibliothek wurde nicht verändert.</translation>
    </message>
    <message>
        <source>Choose another.</source>
        <translation>Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>Choose steps</source>
        <translation>Schritte wählen</translation>
    </message>
    <message>
        <source>Choose steps and write answers</source>
        <translation>Schritte wählen und Antworten schreiben</translation>
    </message>
    <message>
        <source>Choose “Copy to USB stick…” from the model&apos;s menu (the three dots).</source>
        <translation>Wählen Sie „Auf USB-Stick kopieren …“ im Menü des Modells (die drei Punkte).</translation>
    </message>
    <message>
        <source>Choose “All sources” below the question field, or say what your manuals are: “Tags, Trust and Revision…” in a manual&apos;s menu.</source>
        <translation>Wählen Sie „Alle Quellen“ unter dem Fragefeld, oder sagen Sie, was Ihre Handbücher sind: „Schlagwörter, Vertrauen und Revision …“ im Menü eines Handbuchs.</translation>
    </message>
    <message>
        <source>Close other programs and try again.</source>
        <translation>Schließen Sie andere Programme und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Close the notes</source>
        <translation>Notizen schließen</translation>
    </message>
    <message>
        <source>Close the other window or wait for the other command, then try again.</source>
        <translation>Schließen Sie das andere Fenster, oder warten Sie auf den anderen Befehl, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Close the reasoning</source>
        <translation>Lösungsweg schließen</translation>
    </message>
    <message>
        <source>Close the second pane</source>
        <translation>Zweiten Bereich schließen</translation>
    </message>
    <message>
        <source>Outline columns</source>
        <translation>Spalten der Gliederung</translation>
    </message>
    <message>
        <source>Compare these two manuals</source>
        <translation>Diese zwei Handbücher vergleichen</translation>
    </message>
    <message>
        <source>Compare with the other revision</source>
        <translation>Mit der anderen Revision vergleichen</translation>
    </message>
    <message>
        <source>Reconnect the disk and try again. What was reported as done is saved.</source>
        <translation>Schließen Sie ihn wieder an und versuchen Sie es erneut. Was als fertig gemeldet wurde, ist gespeichert.</translation>
    </message>
    <message>
        <source>Contradictions</source>
        <translation>Widersprüche</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy answer with sources</source>
        <translation>Antwort mit Quellen kopieren</translation>
    </message>
    <message>
        <source>Copy here</source>
        <translation>Hierher kopieren</translation>
    </message>
    <message>
        <source>Copy to USB stick…</source>
        <translation>Auf USB-Stick kopieren …</translation>
    </message>
    <message>
        <source>Let the rules decide again</source>
        <translation>Wieder durch Regeln bestimmen</translation>
    </message>
    <message>
        <source>Drafted an e-mail</source>
        <translation>E-Mail entworfen</translation>
    </message>
    <message>
        <source>Drawing the cited pages and writing the draft</source>
        <translation>Zitierte Seiten werden gezeichnet, der Entwurf wird geschrieben</translation>
    </message>
    <message>
        <source>Drawing the cited pages and writing the report</source>
        <translation>Zitierte Seiten werden gezeichnet, der Bericht wird geschrieben</translation>
    </message>
    <message>
        <source>Drop PDFs, Office files or whole folders anywhere on this window. You can ask questions within seconds.</source>
        <translation>Ziehen Sie PDFs, Office-Dateien oder ganze Ordner auf dieses Fenster. Nach Sekunden können Sie fragen.</translation>
    </message>
    <message>
        <source>Edit comment</source>
        <translation>Kommentar bearbeiten</translation>
    </message>
    <message>
        <source>Edit the last question</source>
        <translation>Letzte Frage bearbeiten</translation>
    </message>
    <message>
        <source>Enter its password.</source>
        <translation>Geben Sie das Passwort ein.</translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>Passwort eingeben …</translation>
    </message>
    <message>
        <source>Every sentence is supported by the source it cites.</source>
        <translation>Jeder Satz wird von der Quelle getragen, die er nennt.</translation>
    </message>
    <message>
        <source>Failed.</source>
        <translation>Fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Fold all</source>
        <translation>Alle zuklappen</translation>
    </message>
    <message>
        <source>For this computer, with {memory} of memory, “{name}” is recommended now. {what}</source>
        <translation>Für diesen Computer mit {memory} Speicher wird derzeit „{name}“ empfohlen. {what}</translation>
    </message>
    <message>
        <source>Free at least {size} MB and try again. Nothing that was ready is lost.</source>
        <translation>Geben Sie mindestens {size} MB frei und versuchen Sie es erneut. Nichts, was bereit war, ist verloren.</translation>
    </message>
    <message>
        <source>Free some space and try again. Nothing that was ready is lost.</source>
        <translation>Geben Sie etwas Speicherplatz frei und versuchen Sie es erneut. Nichts, was bereit war, ist verloren.</translation>
    </message>
    <message>
        <source>From a folder…</source>
        <translation>Aus einem Ordner …</translation>
    </message>
    <message>
        <source>From a zip file…</source>
        <translation>Aus einer Zip-Datei …</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Go to page</source>
        <translation>Gehe zu Seite</translation>
    </message>
    <message>
        <source>Go to the other pane</source>
        <translation>Zum anderen Bereich wechseln</translation>
    </message>
    <message>
        <source>Groundwork is closing</source>
        <translation>Groundwork wird geschlossen</translation>
    </message>
    <message>
        <source>No permission to read or write here{where}</source>
        <translation>Groundwork darf hier nicht lesen oder schreiben{where}</translation>
    </message>
    <message>
        <source>Groundwork reads PDF files only.</source>
        <translation>Groundwork liest nur PDF-Dateien.</translation>
    </message>
    <message>
        <source>Helpful</source>
        <translation>Hilfreich</translation>
    </message>
    <message>
        <source>I am here: ask only these manuals</source>
        <translation>Ich bin hier: nur diese Handbücher befragen</translation>
    </message>
    <message>
        <source>I did not find it</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>In discovery mode the answer must say this is {unconfirmed}: “{text}”</source>
        <translation>Bei der Erkundung muss gesagt werden, dass dies nicht bestätigt ist ({unconfirmed}): „{text}“</translation>
    </message>
    <message>
        <source>In strict mode this must not be cited: “{text}”</source>
        <translation>Bei strenger Recherche darf dies nicht zitiert werden: „{text}“</translation>
    </message>
    <message>
        <source>Install Groundwork again; &apos;groundwork doctor&apos; says which file is missing.</source>
        <translation>Installieren Sie Groundwork neu; „groundwork doctor“ sagt, welche Datei fehlt.</translation>
    </message>
    <message>
        <source>Install Groundwork again; &apos;groundwork doctor&apos; says which file it is.</source>
        <translation>Installieren Sie Groundwork neu; „groundwork doctor“ sagt, welche Datei es ist.</translation>
    </message>
    <message>
        <source>Repair the library, or restore a backup (&apos;groundwork library repair&apos;, &apos;groundwork library restore&apos;). The copies of your manuals are safe in the folder &apos;originals&apos;.</source>
        <translation>Reparieren Sie die Bibliothek, oder stellen Sie eine Sicherung wieder her („groundwork library repair“, „groundwork library restore“). Die Kopien Ihrer Handbücher liegen sicher im Ordner „originals“.</translation>
    </message>
    <message>
        <source>The work continues after your question.</source>
        <translation>Nach Ihrer Frage geht die Arbeit weiter.</translation>
    </message>
    <message>
        <source>The library has version {found}; this program supports {known}. Update Groundwork on this computer. The library was not changed.</source>
        <translation>Die Bibliothek hat Version {found}, dieses Programm kennt {known}. Aktualisieren Sie Groundwork auf diesem Computer. Die Bibliothek wurde nicht verändert.</translation>
    </message>
    <message>
        <source>This probably answers the question; it is not certain.</source>
        <translation>Das beantwortet die Frage nur wahrscheinlich.</translation>
    </message>
    <message>
        <source>Protected by a password.</source>
        <translation>Durch ein Passwort geschützt.</translation>
    </message>
    <message>
        <source>This took too long</source>
        <translation>Das hat zu lange gedauert</translation>
    </message>
    <message>
        <source>The file library.db in it belongs to another program. Choose another folder.</source>
        <translation>Die library.db darin gehört zu einem anderen Programm. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Job sheet</source>
        <translation>Arbeitsblatt</translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>Dies behalten</translation>
    </message>
    <message>
        <source>Keeping the best of what was found</source>
        <translation>Das Beste des Gefundenen wird behalten</translation>
    </message>
    <message>
        <source>Kept the best of what was found</source>
        <translation>Das Beste der Funde behalten</translation>
    </message>
    <message>
        <source>Language models, if you want them</source>
        <translation>Sprachmodelle, wenn Sie möchten</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Text größer</translation>
    </message>
    <message>
        <source>Leave out older revisions</source>
        <translation>Ältere Revisionen auslassen</translation>
    </message>
    <message>
        <source>Likely contradictions: check the page</source>
        <translation>Wahrscheinliche Widersprüche: bitte auf der Seite prüfen</translation>
    </message>
    <message>
        <source>Link this page</source>
        <translation>Diese Seite verknüpfen</translation>
    </message>
    <message>
        <source>Loading {name} {share}</source>
        <translation>{name} wird geladen: {share}</translation>
    </message>
    <message>
        <source>Locked: needs its password.</source>
        <translation>Gesperrt: braucht sein Passwort.</translation>
    </message>
    <message>
        <source>Look for the question on its own, and as a follow-up to the one before.</source>
        <translation>Die Frage für sich suchen, und als eine, die auf die vorige folgt.</translation>
    </message>
    <message>
        <source>Look for the words and the meaning of the question.</source>
        <translation>Nach den Wörtern und der Bedeutung der Frage suchen.</translation>
    </message>
    <message>
        <source>Looked at the page</source>
        <translation>Seite angesehen</translation>
    </message>
    <message>
        <source>Looking at a region of page {label}</source>
        <translation>Ein Bereich von Seite {label} wird angesehen</translation>
    </message>
    <message>
        <source>Looking at page {page} of {manual}</source>
        <translation>Seite {page} von {manual} wird angesehen</translation>
    </message>
    <message>
        <source>Looking more closely at part of page {page}</source>
        <translation>Ein Teil von Seite {page} wird genauer angesehen</translation>
    </message>
    <message>
        <source>Looking for page {page}</source>
        <translation>Seite {page} wird gesucht</translation>
    </message>
    <message>
        <source>MLX, which comes with Groundwork on Apple silicon and with the &apos;mlx&apos; extra on Linux</source>
        <translation>MLX, das auf Apple Silicon mit Groundwork kommt und unter Linux mit dem Zusatz „mlx“</translation>
    </message>
    <message>
        <source>Manuals put into these folders are added to the library automatically; a changed one is added as a newer revision. Nothing in the folders is changed.</source>
        <translation>Handbücher, die in diese Ordner gelegt werden, werden automatisch hinzugefügt; ein geändertes wird als neuere Revision hinzugefügt. In den Ordnern wird nichts geändert.</translation>
    </message>
    <message>
        <source>Correct or leave out: “{text}”</source>
        <translation>Berichtigen oder auslassen: „{text}“</translation>
    </message>
    <message>
        <source>More viewer controls</source>
        <translation>Weitere Bedienelemente des Betrachters</translation>
    </message>
    <message>
        <source>Most pages</source>
        <translation>Meiste Seiten</translation>
    </message>
    <message>
        <source>NOTE</source>
        <translation>HINWEIS</translation>
    </message>
    <message>
        <source>Name the manual as well, one of: {names}.</source>
        <translation>Nennen Sie auch das Handbuch, eines von: {names}.</translation>
    </message>
    <message>
        <source>Needs a computer with {machine_gib} GB of memory; {here}.</source>
        <translation>Braucht einen Computer mit {machine_gib} GB Arbeitsspeicher; {here}.</translation>
    </message>
    <message>
        <source>New note…</source>
        <translation>Neue Notiz …</translation>
    </message>
    <message>
        <source>No agreement was found.</source>
        <translation>Es wurde keine Übereinstimmung gefunden.</translation>
    </message>
    <message>
        <source>No answer after {n} steps.</source>
        <translation>Keine Antwort nach {n} Schritten.</translation>
    </message>
    <message>
        <source>No contradiction was found.</source>
        <translation>Es wurde kein Widerspruch gefunden.</translation>
    </message>
    <message>
        <source>No e-mail was drafted: choose “Draft e-mail…” below the answer.</source>
        <translation>Es wurde keine E-Mail entworfen: Wählen Sie „E-Mail-Entwurf …“ unter der Antwort.</translation>
    </message>
    <message>
        <source>No figure was shown: the cited pages have none. Ask for the page by its number to see it whole.</source>
        <translation>Es wurde keine Abbildung gezeigt: Die zitierten Seiten haben keine. Fragen Sie nach der Seite mit ihrer Nummer, um sie ganz zu sehen.</translation>
    </message>
    <message>
        <source>No job sheet was saved: choose “Save job sheet” in the menu.</source>
        <translation>Es wurde kein Arbeitsblatt gespeichert: Wählen Sie „Arbeitsblatt speichern“ im Menü.</translation>
    </message>
    <message>
        <source>No language model is installed.</source>
        <translation>Es ist kein Sprachmodell installiert.</translation>
    </message>
    <message>
        <source>No manual is called &apos;{document}&apos;.</source>
        <translation>Kein Handbuch heißt „{document}“.</translation>
    </message>
    <message>
        <source>No page is cited: open the nearest pages and look there.</source>
        <translation>Es wird keine Seite genannt: Öffnen Sie die nächsten Seiten und sehen Sie dort nach.</translation>
    </message>
    <message>
        <source>No page matches the question.</source>
        <translation>Keine Seite passt zur Frage.</translation>
    </message>
    <message>
        <source>No page of a manual is cited.</source>
        <translation>Es wird keine Seite eines Handbuchs genannt.</translation>
    </message>
    <message>
        <source>No page in the manuals matches.</source>
        <translation>Keine Seite der Handbücher passt.</translation>
    </message>
    <message>
        <source>No page was read</source>
        <translation>Keine Seite gelesen</translation>
    </message>
    <message>
        <source>No printer is set up here. Saved as PDF: {name}</source>
        <translation>Hier ist kein Drucker eingerichtet. Als PDF gespeichert: {name}</translation>
    </message>
    <message>
        <source>No report was saved: choose “Save report…” below the answer.</source>
        <translation>Es wurde kein Bericht gespeichert: Wählen Sie „Bericht speichern …“ unter der Antwort.</translation>
    </message>
    <message>
        <source>No source is cited: “{text}”</source>
        <translation>Es wird keine Quelle genannt: „{text}“</translation>
    </message>
    <message>
        <source>No source is known to be from that time ({time}): {found} found.</source>
        <translation>Von keiner Quelle ist bekannt, dass sie aus dieser Zeit stammt ({time}); gefunden: {found}.</translation>
    </message>
    <message>
        <source>No source is left in {mode} mode: {found} found, none of them reliable.</source>
        <translation>Im Recherche-Modus ({mode}) bleibt keine Quelle übrig; gefunden: {found}, keine davon ist verlässlich.</translation>
    </message>
    <message>
        <source>No tool is available.</source>
        <translation>Es ist kein Werkzeug verfügbar.</translation>
    </message>
    <message>
        <source>No visual matches for: {query}</source>
        <translation>Keine Seite sieht passend aus zu: {query}</translation>
    </message>
    <message>
        <source>No visual pages to interpret</source>
        <translation>Keine Seitenbilder zum Ansehen</translation>
    </message>
    <message>
        <source>None of the chosen manuals could be read. The library says why beside each of them; add other PDF files or retry.</source>
        <translation>Keines der gewählten Handbücher konnte gelesen werden. Die Bibliothek sagt neben jedem, warum; fügen Sie andere PDF-Dateien hinzu oder versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>None of them mentions {names}; check the spelling.</source>
        <translation>Keines nennt {names}; prüfen Sie die Schreibweise.</translation>
    </message>
    <message>
        <source>Not asked yet.</source>
        <translation>Noch nicht gefragt.</translation>
    </message>
    <message>
        <source>Not decided: compare the claim with this</source>
        <translation>Nicht entschieden: Vergleichen Sie die Aussage mit dieser Stelle</translation>
    </message>
    <message>
        <source>Not decided: compare these yourself</source>
        <translation>Nicht entschieden: bitte selbst vergleichen</translation>
    </message>
    <message>
        <source>Not finished.</source>
        <translation>Nicht abgeschlossen.</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>Not installed yet: {missing}.</source>
        <translation>Noch nicht installiert: {missing}.</translation>
    </message>
    <message>
        <source>Not on the cited pages: {words}.</source>
        <translation>Nicht auf den genannten Seiten: {words}.</translation>
    </message>
    <message>
        <source>Site notes</source>
        <translation>Notizen des Standorts</translation>
    </message>
    <message>
        <source>Nothing leaves this computer.</source>
        <translation>Nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>No animation.</source>
        <translation>Keine Animation.</translation>
    </message>
    <message>
        <source>Nothing the language model wrote is in the manuals.</source>
        <translation>Nichts, was das Sprachmodell geschrieben hat, steht in den Handbüchern.</translation>
    </message>
    <message>
        <source>No objections.</source>
        <translation>Nichts zu beanstanden.</translation>
    </message>
    <message>
        <source>Nothing readable was found.</source>
        <translation>Es wurde nichts gefunden, das gelesen werden konnte.</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>Es wurde nichts gefunden.</translation>
    </message>
    <message>
        <source>Nothing: the manuals are quoted</source>
        <translation>Nichts: Es wird aus den Handbüchern zitiert</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Observation</source>
        <translation>Beobachtung</translation>
    </message>
    <message>
        <source>Language of the window. Manuals and answers keep their own.</source>
        <translation>Sprache des Fensters. Handbücher und Antworten behalten ihre eigene.</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Official sources</source>
        <translation>Maßgebliche Quellen</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>Offline</translation>
    </message>
    <message>
        <source>Older ones are removed. Backups made by hand always stay.</source>
        <translation>Ältere werden entfernt. Von Hand angelegte Sicherungen bleiben immer.</translation>
    </message>
    <message>
        <source>Older revision; {newer} is here</source>
        <translation>Ältere Revision, {newer} ist da</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>On a computer with Groundwork that is online, open this page and download the model there.</source>
        <translation>Öffnen Sie diese Seite auf einem Computer mit Groundwork und Netz und laden Sie das Modell dort herunter.</translation>
    </message>
    <message>
        <source>On battery, indexing waits below this level, and resumes by itself when the computer is plugged in. 0 never waits.</source>
        <translation>Im Akkubetrieb wartet die Indexierung, solange weniger übrig ist, und geht von selbst weiter, wenn der Computer am Netzteil ist. 0 wartet nie.</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>One per line, such as “How do I wire…”.</source>
        <translation>Eine je Zeile, etwa „Wie verdrahte ich …“.</translation>
    </message>
    <message>
        <source>One per line. A question about such a part looks in all of them.</source>
        <translation>Eines je Zeile. Eine Frage nach einem solchen Teil sieht in alle davon.</translation>
    </message>
    <message>
        <source>One per line. A question with such a word looks here first.</source>
        <translation>Eines je Zeile. Eine Frage mit einem solchen Wort sieht zuerst hier nach.</translation>
    </message>
    <message>
        <source>One per line: thing &gt; relation &gt; thing. Optional.</source>
        <translation>Eine je Zeile: Ding &gt; Beziehung &gt; Ding. Freiwillig.</translation>
    </message>
    <message>
        <source>One per line; * stands for anything.</source>
        <translation>Eines je Zeile; * steht für Beliebiges.</translation>
    </message>
    <message>
        <source>One rule per line, such as “Wiring → Installation manual first”.</source>
        <translation>Eine Regel je Zeile, etwa „Verdrahtung → zuerst Installationshandbuch“.</translation>
    </message>
    <message>
        <source>One term per line: setpoint = wanted pressure, Sollwert</source>
        <translation>Ein Begriff je Zeile: Sollwert = gewünschter Druck, setpoint</translation>
    </message>
    <message>
        <source>Online: downloading a model</source>
        <translation>Online: Ein Modell wird heruntergeladen</translation>
    </message>
    <message>
        <source>Only makers&apos; manuals, standards, bulletins and procedures were read. “All sources” reads everything and warns of what is less certain.</source>
        <translation>Nur Handbücher der Hersteller, Normen, Mitteilungen und Verfahren wurden gelesen. „Alle Quellen“ liest alles und warnt vor dem, was weniger sicher ist.</translation>
    </message>
    <message>
        <source>Only what is in the settings</source>
        <translation>Nur was in den Einstellungen steht</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open a manual from the library, or drop PDFs anywhere</source>
        <translation>Öffnen Sie ein Handbuch aus der Bibliothek, oder legen Sie PDF-Dateien irgendwo im Fenster ab</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open it again to continue.</source>
        <translation>Öffnen Sie es wieder, um weiterzumachen.</translation>
    </message>
    <message>
        <source>Open the library to see the models.</source>
        <translation>Öffnen Sie die Bibliothek, um die Modelle zu sehen.</translation>
    </message>
    <message>
        <source>Open the page with this {level}</source>
        <translation>Seite dieses Hinweises öffnen ({level})</translation>
    </message>
    <message>
        <source>Open the report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Open the sample manuals</source>
        <translation>Beispielhandbücher öffnen</translation>
    </message>
    <message>
        <source>Open {page}</source>
        <translation>{page} öffnen</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>Geöffnet</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Other words</source>
        <translation>Andere Wörter</translation>
    </message>
    <message>
        <source>Other words to find it by</source>
        <translation>Andere Wörter, um es zu finden</translation>
    </message>
    <message>
        <source>PNG pictures (*.png)</source>
        <translation>PNG-Bilder (*.png)</translation>
    </message>
    <message>
        <source>Pack</source>
        <translation>Paket</translation>
    </message>
    <message>
        <source>Pack {name}: {remark}</source>
        <translation>Paket {name}: {remark}</translation>
    </message>
    <message>
        <source>Packs…</source>
        <translation>Pakete …</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Page and zoom</source>
        <translation>Seite und Zoom</translation>
    </message>
    <message>
        <source>Page size</source>
        <translation>Seitengröße</translation>
    </message>
    <message>
        <source>Page thumbnails</source>
        <translation>Seitenvorschau</translation>
    </message>
    <message>
        <source>Page {page}</source>
        <translation>Seite {page}</translation>
    </message>
    <message>
        <source>Page {page} of the PDF made from {name}</source>
        <translation>Seite {page} des PDF aus {name}</translation>
    </message>
    <message>
        <source>Page: type a printed label like 4-11, or a page number, and press Enter</source>
        <translation>Seite: Geben Sie eine gedruckte Bezeichnung wie 4-11 oder eine Seitenzahl ein und drücken Sie Enter</translation>
    </message>
    <message>
        <source>Pages and notes read for one question.</source>
        <translation>Seiten und Notizen, die für eine Frage gelesen werden.</translation>
    </message>
    <message>
        <source>Pages are drawn no larger than this.</source>
        <translation>Seiten werden kleiner als dies gezeichnet.</translation>
    </message>
    <message>
        <source>Pages per search</source>
        <translation>Seiten je Suche</translation>
    </message>
    <message>
        <source>Pages were found; answer from them.</source>
        <translation>Es wurden Seiten gefunden; aus ihnen antworten.</translation>
    </message>
    <message>
        <source>Pages with problems</source>
        <translation>Seiten mit Problemen</translation>
    </message>
    <message>
        <source>Parts of Groundwork</source>
        <translation>Teile von Groundwork</translation>
    </message>
    <message>
        <source>Parts that several manuals describe</source>
        <translation>Teile, die mehrere Handbücher beschreiben</translation>
    </message>
    <message>
        <source>Password needed</source>
        <translation>Passwort nötig</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Photos ({kinds})</source>
        <translation>Fotos ({kinds})</translation>
    </message>
    <message>
        <source>Picture of {page}, {title}</source>
        <translation>Bild von {page}, {title}</translation>
    </message>
    <message>
        <source>Pictures of pages ({kinds})</source>
        <translation>Bilder von Seiten ({kinds})</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Please check</source>
        <translation>Bitte prüfen</translation>
    </message>
    <message>
        <source>Report it with the newest file in the library&apos;s &apos;logs&apos; folder.</source>
        <translation>Bitte melden Sie es mit der neuesten Datei aus dem Ordner „logs“ der Bibliothek.</translation>
    </message>
    <message>
        <source>Positions count from 0: pieces[3] is the fourth piece. Repair the file and import it again; what is already here is not added twice.</source>
        <translation>Positionen zählen ab 0: pieces[3] ist das vierte Stück. Reparieren Sie die Datei und importieren Sie sie erneut; was schon hier ist, wird nicht zweimal hinzugefügt.</translation>
    </message>
    <message>
        <source>&apos;auto&apos; gives it the work it can do in time on this computer, as measured, and lets it decide only where the manuals do not surely answer; &apos;both&apos; has it decide and write, &apos;write&apos; or &apos;decide&apos; only that; &apos;quote&apos; quotes the manuals. The Models page shows how fast it is.</source>
        <translation>„auto“ fragt es nach dem, was es auf diesem Computer gemessen rechtzeitig schafft, und lässt es nur entscheiden, wo die Handbücher nicht sicher antworten; mit „both“ entscheidet und schreibt es, mit „write“ oder „decide“ nur eines von beidem; mit „quote“ werden die Handbücher zitiert. Wie schnell es ist, steht auf der Seite „Modelle“.</translation>
    </message>
    <message>
        <source>Add note here</source>
        <translation>Notiz hier anlegen</translation>
    </message>
    <message>
        <source>Added: {manuals}</source>
        <translation>Hinzugefügt: {manuals}</translation>
    </message>
    <message>
        <source>Checked {many}: {found}.</source>
        <translation>{many} geprüft: {found}.</translation>
    </message>
    <message>
        <source>Questions this manual answers</source>
        <translation>Fragen, die dieses Handbuch beantwortet</translation>
    </message>
    <message>
        <source>Also possible:</source>
        <translation>Auch möglich:</translation>
    </message>
    <message>
        <source>Job sheet saved in {folder}: {name}</source>
        <translation>Arbeitsblatt gespeichert in {folder}: {name}</translation>
    </message>
    <message>
        <source>Manuals say what the maker knew. Notes say what you found out: answers use them too, and always show what comes from a note. To link one to a page, select words there and choose “Add note here”.</source>
        <translation>In Handbüchern steht, was der Hersteller wusste. In Notizen steht, was Sie herausgefunden haben: Antworten nutzen auch sie und zeigen immer, dass sie aus einer Notiz stammen. Um eine mit einer Seite zu verknüpfen, markieren Sie dort Wörter und wählen „Notiz hier anlegen“.</translation>
    </message>
    <message>
        <source>Name ____________________   Asset ____________________   Date ______________</source>
        <translation>Name ____________________   Anlage ____________________   Datum ______________</translation>
    </message>
    <message>
        <source>None of the nearest pages answers: {pages}</source>
        <translation>Keine der nächsten Seiten antwortet: {pages}</translation>
    </message>
    <message>
        <source>Not sure the manual you selected answers this.</source>
        <translation>Nicht sicher, ob das gewählte Handbuch das beantwortet.</translation>
    </message>
    <message>
        <source>Not sure the {n} manuals you selected answer this.</source>
        <translation>Nicht sicher, ob die {n} gewählten Handbücher das beantworten.</translation>
    </message>
    <message>
        <source>Not sure your manuals answer this.</source>
        <translation>Nicht sicher, ob Ihre Handbücher das beantworten.</translation>
    </message>
    <message>
        <source>Preference</source>
        <translation>Vorliebe</translation>
    </message>
    <message>
        <source>Previous highlight</source>
        <translation>Vorherige Markierung</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>Vorheriger Treffer</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>Vorherige Seite</translation>
    </message>
    <message>
        <source>Print job sheet…</source>
        <translation>Arbeitsblatt drucken …</translation>
    </message>
    <message>
        <source>Print report…</source>
        <translation>Bericht drucken …</translation>
    </message>
    <message>
        <source>Printing page {n} of {count}…</source>
        <translation>Seite {n} von {count} wird gedruckt …</translation>
    </message>
    <message>
        <source>Printing stopped at page {page}: {why}</source>
        <translation>Drucken bei Seite {page} angehalten: {why}</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Drucken …</translation>
    </message>
    <message>
        <source>Privacy and backups</source>
        <translation>Datenschutz und Sicherungen</translation>
    </message>
    <message>
        <source>Procedure</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>Produkt</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Progress of the research</source>
        <translation>Fortschritt der Recherche</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>Public keys (*.pub)</source>
        <translation>Öffentliche Schlüssel (*.pub)</translation>
    </message>
    <message>
        <source>Put the answer together</source>
        <translation>Antwort zusammengestellt</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Question about the region</source>
        <translation>Frage zum Bereich</translation>
    </message>
    <message>
        <source>Questions from a file: {n} of {count}</source>
        <translation>Fragen aus einer Datei: {n} von {count}</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Quick answer</source>
        <translation>Schnelle Antwort</translation>
    </message>
    <message>
        <source>Quick answer: in seconds, from the best pages</source>
        <translation>Schnelle Antwort: in Sekunden, aus den besten Seiten</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Quit Groundwork</source>
        <translation>Groundwork beenden</translation>
    </message>
    <message>
        <source>Quoted site notes</source>
        <translation>Notizen des Standorts zitiert</translation>
    </message>
    <message>
        <source>Quoted the manuals</source>
        <translation>Aus den Handbüchern zitiert</translation>
    </message>
    <message>
        <source>Quoted the manuals and site notes</source>
        <translation>Die Handbücher und Notizen des Standorts zitiert</translation>
    </message>
    <message>
        <source>Ray could not go on: {reason} Build again to continue from here.</source>
        <translation>Ray konnte nicht weitermachen: {reason} Bauen Sie noch einmal: es geht von hier aus weiter.</translation>
    </message>
    <message>
        <source>Ray is not responding: {reason}</source>
        <translation>Ray antwortet nicht: {reason}</translation>
    </message>
    <message>
        <source>Ray stopped while building the pack. Build again to continue from here.</source>
        <translation>Ray ist beim Bauen des Pakets ausgefallen. Bauen Sie noch einmal: es geht von hier aus weiter.</translation>
    </message>
    <message>
        <source>Read PDFs in this process</source>
        <translation>PDF-Dateien in diesem Prozess lesen</translation>
    </message>
    <message>
        <source>Read a nameplate</source>
        <translation>Ein Typenschild lesen</translation>
    </message>
    <message>
        <source>Read a page</source>
        <translation>Eine Seite gelesen</translation>
    </message>
    <message>
        <source>Read and draft</source>
        <translation>Lesen und entwerfen</translation>
    </message>
    <message>
        <source>Read scanned pages</source>
        <translation>Gescannte Seiten lesen</translation>
    </message>
    <message>
        <source>Read with your previous question: {question}</source>
        <translation>Zusammen mit Ihrer vorigen Frage gelesen: {question}</translation>
    </message>
    <message>
        <source>Read: {listed}.</source>
        <translation>Gelesen: {listed}.</translation>
    </message>
    <message>
        <source>Reading 1 page</source>
        <translation>1 Seite wird gelesen</translation>
    </message>
    <message>
        <source>Reading PDFs</source>
        <translation>PDF-Dateien lesen</translation>
    </message>
    <message>
        <source>Reading aloud… Esc stops it.</source>
        <translation>Wird vorgelesen … Esc hält an.</translation>
    </message>
    <message>
        <source>Reading this file takes more memory than it may use.</source>
        <translation>Das Lesen dieser Datei braucht mehr Speicher, als es verwenden darf.</translation>
    </message>
    <message>
        <source>Reading the picture was stopped: it took too much time or memory</source>
        <translation>Das Lesen des Bildes wurde angehalten: Es brauchte zu viel Zeit oder Speicher</translation>
    </message>
    <message>
        <source>Reading the picture…</source>
        <translation>Das Bild wird gelesen …</translation>
    </message>
    <message>
        <source>Reading the questions</source>
        <translation>Die Fragen werden gelesen</translation>
    </message>
    <message>
        <source>Reading this PDF was stopped: it took too much time or memory</source>
        <translation>Das Lesen dieser PDF-Datei wurde angehalten: Es brauchte zu viel Zeit oder Speicher</translation>
    </message>
    <message>
        <source>Reading {done} of {total} tokens</source>
        <translation>{done} von {total} Token gelesen</translation>
    </message>
    <message>
        <source>Reading {n} pages</source>
        <translation>{n} Seiten werden gelesen</translation>
    </message>
    <message>
        <source>Reads drawings and tables from a picture of the page, and gets more of them right.</source>
        <translation>Liest Zeichnungen und Tabellen aus dem Bild der Seite, und mehr davon richtig.</translation>
    </message>
    <message>
        <source>Reads drawings and tables from a picture of the page.</source>
        <translation>Liest Zeichnungen und Tabellen aus dem Bild der Seite.</translation>
    </message>
    <message>
        <source>Reads pictures of pages</source>
        <translation>Liest Bilder von Seiten</translation>
    </message>
    <message>
        <source>Rereads the best passages for a question, in over a hundred languages.</source>
        <translation>Liest die besten Textstellen zu einer Frage noch einmal, in über hundert Sprachen.</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Lösungsweg</translation>
    </message>
    <message>
        <source>A note of your site gives another value than the manual</source>
        <translation>Eine Notiz Ihres Standorts nennt einen anderen Wert als die Anleitung</translation>
    </message>
    <message>
        <source>A note of your site gives another value.</source>
        <translation>Eine Notiz Ihres Standorts nennt einen anderen Wert.</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>Tab schließen</translation>
    </message>
    <message>
        <source>Reasoning steps</source>
        <translation>Schritte des Lösungswegs</translation>
    </message>
    <message>
        <source>Reasoning trace</source>
        <translation>Lösungsweg</translation>
    </message>
    <message>
        <source>Recognise tables and figures</source>
        <translation>Tabellen und Abbildungen erkennen</translation>
    </message>
    <message>
        <source>Recognise text on pages without any.</source>
        <translation>Text auf Seiten erkennen, die keinen haben.</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Record how answers were reached</source>
        <translation>Aufzeichnen, wie Antworten zustande kamen</translation>
    </message>
    <message>
        <source>Recording is not installed: pip install &apos;groundwork[voice]&apos;, and on Linux the package libportaudio2.</source>
        <translation>Die Aufnahme ist nicht installiert: pip install &apos;groundwork[voice]&apos;, und unter Linux das Paket libportaudio2.</translation>
    </message>
    <message>
        <source>Release {n} of the pack {name} is attached with different contents. Ask whoever makes it for one with a new number.</source>
        <translation>Version {n} des Pakets {name} ist mit anderem Inhalt eingebunden. Bitten Sie, wer es macht, um eine mit neuer Nummer.</translation>
    </message>
    <message>
        <source>Release {offered} of the pack {name} is older than release {release}, which is attached. Ask for the newest one; to go back on purpose, detach it first.</source>
        <translation>Version {offered} des Pakets {name} ist älter als Version {release}, die eingebunden ist. Fragen Sie nach der neuesten; um mit Absicht zurückzugehen, lösen Sie es zuerst.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove bookmark</source>
        <translation>Lesezeichen entfernen</translation>
    </message>
    <message>
        <source>Remove it on the Models page and import it again.</source>
        <translation>Entfernen Sie es auf der Seite „Modelle“ und importieren Sie es erneut.</translation>
    </message>
    <message>
        <source>Remove region</source>
        <translation>Bereich entfernen</translation>
    </message>
    <message>
        <source>Remove {title}</source>
        <translation>{title} entfernen</translation>
    </message>
    <message>
        <source>Remove “{title}”?</source>
        <translation>„{title}“ entfernen?</translation>
    </message>
    <message>
        <source>Removed “{title}”.</source>
        <translation>„{title}“ entfernt.</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen …</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename conversation</source>
        <translation>Unterhaltung umbenennen</translation>
    </message>
    <message>
        <source>Rename manual</source>
        <translation>Handbuch umbenennen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen …</translation>
    </message>
    <message>
        <source>Repair the library</source>
        <translation>Bibliothek reparieren</translation>
    </message>
    <message>
        <source>Repairing. The damaged file is kept.</source>
        <translation>Wird repariert. Die beschädigte Datei wird aufbewahrt.</translation>
    </message>
    <message>
        <source>Report saved: {name}</source>
        <translation>Bericht gespeichert: {name}</translation>
    </message>
    <message>
        <source>Research</source>
        <translation>Recherche</translation>
    </message>
    <message>
        <source>Research in {mode} mode: draft, check, write a report.</source>
        <translation>Recherche ({mode}): entwerfen, prüfen, einen Bericht schreiben.</translation>
    </message>
    <message>
        <source>Research report</source>
        <translation>Recherchebericht</translation>
    </message>
    <message>
        <source>Research report: {query}</source>
        <translation>Recherchebericht: {query}</translation>
    </message>
    <message>
        <source>Researched</source>
        <translation>Recherchiert</translation>
    </message>
    <message>
        <source>Reset “{name}”</source>
        <translation>„{name}“ zurücksetzen</translation>
    </message>
    <message>
        <source>Restore the backup of {when}</source>
        <translation>Sicherung vom {when} wiederherstellen</translation>
    </message>
    <message>
        <source>Restoring. The current file is kept.</source>
        <translation>Wird wiederhergestellt. Die jetzige Datei wird aufbewahrt.</translation>
    </message>
    <message>
        <source>Reveal in Files</source>
        <translation>Im Dateimanager zeigen</translation>
    </message>
    <message>
        <source>Reveal in Finder</source>
        <translation>Im Finder zeigen</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>Revision</translation>
    </message>
    <message>
        <source>Rotate anticlockwise</source>
        <translation>Gegen den Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Rotate clockwise</source>
        <translation>Im Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Running {tool}.</source>
        <translation>{tool} läuft.</translation>
    </message>
    <message>
        <source>Runs everything in one process. A damaged or very heavy PDF can then freeze or crash the application.</source>
        <translation>Führt alles in einem Prozess aus. Eine beschädigte oder sehr schwere PDF-Datei kann dann die Anwendung einfrieren oder beenden.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save diagnostic bundle</source>
        <translation>Diagnosepaket speichern</translation>
    </message>
    <message>
        <source>Save it as JPEG or PNG and try again; a photo from a phone may be HEIC.</source>
        <translation>Speichern Sie es als JPEG oder PNG und versuchen Sie es noch einmal; ein Handyfoto kann HEIC sein.</translation>
    </message>
    <message>
        <source>Save or send this answer</source>
        <translation>Diese Antwort speichern oder senden</translation>
    </message>
    <message>
        <source>Save page as picture…</source>
        <translation>Seite als Bild speichern …</translation>
    </message>
    <message>
        <source>Save region as picture…</source>
        <translation>Bereich als Bild speichern …</translation>
    </message>
    <message>
        <source>Save report…</source>
        <translation>Bericht speichern …</translation>
    </message>
    <message>
        <source>Save the changes</source>
        <translation>Änderungen speichern</translation>
    </message>
    <message>
        <source>Save the report in</source>
        <translation>Bericht speichern in</translation>
    </message>
    <message>
        <source>Save these changes as a report…</source>
        <translation>Diese Änderungen als Bericht speichern …</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>Als {name} gespeichert</translation>
    </message>
    <message>
        <source>Saved the draft to {draft}; nothing was sent.</source>
        <translation>Entwurf gespeichert unter {draft}; es wurde nichts gesendet.</translation>
    </message>
    <message>
        <source>Saved the report to {folder}.</source>
        <translation>Bericht gespeichert unter {folder}.</translation>
    </message>
    <message>
        <source>Saved “{name}”. It holds no text from manuals or questions; you can read it all before you send it.</source>
        <translation>„{name}“ gespeichert. Es enthält keinen Text aus Handbüchern oder Fragen; Sie können alles darin lesen, bevor Sie es senden.</translation>
    </message>
    <message>
        <source>Saved. Used from the next question.</source>
        <translation>Gespeichert. Gilt ab der nächsten Frage.</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Say instead: {text}</source>
        <translation>Stattdessen sagen: {text}</translation>
    </message>
    <message>
        <source>Give the product&apos;s name and its manuals.</source>
        <translation>Nennen Sie den Namen des Produkts und seine Handbücher.</translation>
    </message>
    <message>
        <source>Say what the sources say about the question.</source>
        <translation>Sagen, was die Quellen zur Frage sagen.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>Unterhaltungen durchsuchen</translation>
    </message>
    <message>
        <source>Search for what is needed from it, or name another page.</source>
        <translation>Nach dem Gewünschten suchen oder eine andere Seite nennen.</translation>
    </message>
    <message>
        <source>Search manuals and notes</source>
        <translation>Handbücher und Notizen durchsuchen</translation>
    </message>
    <message>
        <source>Search notes</source>
        <translation>Notizen durchsuchen</translation>
    </message>
    <message>
        <source>Search questions and answers</source>
        <translation>Fragen und Antworten durchsuchen</translation>
    </message>
    <message>
        <source>Search the settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Search for what is missing</source>
        <translation>Suchen, was fehlt</translation>
    </message>
    <message>
        <source>Searched the page pictures</source>
        <translation>Bilder der Seiten durchsucht</translation>
    </message>
    <message>
        <source>Searched your manuals</source>
        <translation>Ihre Handbücher durchsucht</translation>
    </message>
    <message>
        <source>Searching 1 manual</source>
        <translation>1 Handbuch wird durchsucht</translation>
    </message>
    <message>
        <source>The search found nothing.</source>
        <translation>Die Suche hat nichts gefunden.</translation>
    </message>
    <message>
        <source>Searching manuals and notes.</source>
        <translation>Handbücher und Notizen werden durchsucht.</translation>
    </message>
    <message>
        <source>Searching the page pictures</source>
        <translation>Die Bilder der Seiten werden durchsucht</translation>
    </message>
    <message>
        <source>Searching {n} manuals</source>
        <translation>{n} Handbücher werden durchsucht</translation>
    </message>
    <message>
        <source>Searching: {queries}</source>
        <translation>Gesucht wird: {queries}</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <source>Select all on page</source>
        <translation>Alles auf der Seite auswählen</translation>
    </message>
    <message>
        <source>Sent to the printer</source>
        <translation>An den Drucker gesendet</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen …</translation>
    </message>
    <message>
        <source>Several manuals have a page {page}.</source>
        <translation>Mehrere Handbücher haben eine Seite {page}.</translation>
    </message>
    <message>
        <source>Several manuals have a page {page}. Which one do you mean?</source>
        <translation>Mehrere Handbücher haben eine Seite {page}. Welches ist gemeint?</translation>
    </message>
    <message>
        <source>Several packs are called {name}. Give the id instead.</source>
        <translation>Mehrere Pakete heißen {name}. Nennen Sie seine Kennung.</translation>
    </message>
    <message>
        <source>Separate tags with commas. Empty fields change nothing.</source>
        <translation>Mehrere Schlagwörter werden durch Kommas getrennt. Leere Felder ändern nichts.</translation>
    </message>
    <message>
        <source>Separate tags with commas. The newer of two revisions wins.</source>
        <translation>Mehrere Schlagwörter werden durch Kommas getrennt. Von zwei Revisionen gilt die neuere.</translation>
    </message>
    <message>
        <source>To run several workers, install Ray: pip install &apos;groundwork[cluster]&apos;.</source>
        <translation>Mehrere Prozesse brauchen Ray. Installieren Sie es: pip install &apos;groundwork[cluster]&apos;.</translation>
    </message>
    <message>
        <source>Show 1 model for larger computers</source>
        <translation>1 Modell für größere Computer zeigen</translation>
    </message>
    <message>
        <source>Show all manuals</source>
        <translation>Alle Handbücher zeigen</translation>
    </message>
    <message>
        <source>Show earlier questions ({n})</source>
        <translation>Frühere Fragen zeigen ({n})</translation>
    </message>
    <message>
        <source>Show page {label} of {manual}</source>
        <translation>Zeige Seite {label} aus {manual}</translation>
    </message>
    <message>
        <source>Show step {n} on its page</source>
        <translation>Schritt {n} auf seiner Seite zeigen</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Show {n} models for larger computers</source>
        <translation>{n} Modelle für größere Computer zeigen</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Angezeigt</translation>
    </message>
    <message>
        <source>Simple rules were used instead: check the result.</source>
        <translation>Stattdessen haben es einfache Regeln getan: Prüfen Sie das Ergebnis.</translation>
    </message>
    <message>
        <source>Sorted by simple rules.</source>
        <translation>Einfache Regeln haben es sortiert.</translation>
    </message>
    <message>
        <source>Site</source>
        <translation>Standort</translation>
    </message>
    <message>
        <source>Site and asset</source>
        <translation>Standort und Anlage</translation>
    </message>
    <message>
        <source>Site note</source>
        <translation>Notiz des Standorts</translation>
    </message>
    <message>
        <source>Site statements compared</source>
        <translation>Verglichene Aussagen des Standorts</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Small and quick: decides and writes short answers.</source>
        <translation>Klein und schnell: entscheidet und schreibt kurze Antworten.</translation>
    </message>
    <message>
        <source>Some conversations could not be read.</source>
        <translation>Einige Unterhaltungen konnten nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Some changes take effect when you restart Groundwork.</source>
        <translation>Einige Änderungen gelten, wenn Groundwork neu gestartet wird.</translation>
    </message>
    <message>
        <source>Something in this program tried to reach a network:
{targets}
Report it, with the newest file from the library&apos;s folder &apos;logs&apos;.</source>
        <translation>Etwas in diesem Programm hat versucht, ein Netz zu erreichen:
{targets}
Bitte melden Sie es mit der neuesten Datei aus dem Ordner „logs“ der Bibliothek.</translation>
    </message>
    <message>
        <source>Something is already printing: wait until it has finished</source>
        <translation>Es wird schon etwas gedruckt: Warten Sie, bis es fertig ist</translation>
    </message>
    <message>
        <source>Something is missing; searching for it.</source>
        <translation>Etwas fehlt und wird gesucht.</translation>
    </message>
    <message>
        <source>Something went wrong inside Groundwork</source>
        <translation>In Groundwork ist etwas schiefgegangen</translation>
    </message>
    <message>
        <source>Something went wrong inside Groundwork. Your manuals and answers are safe. If it happens again, save a diagnostic bundle and send it to whoever helps you.</source>
        <translation>In Groundwork ist etwas schiefgegangen. Ihre Handbücher und Antworten sind sicher. Wenn es wieder geschieht, speichern Sie ein Diagnosepaket und senden Sie es an die Person, die Ihnen hilft.</translation>
    </message>
    <message>
        <source>Sort and filter</source>
        <translation>Sortieren und filtern</translation>
    </message>
    <message>
        <source>Sort and filter: {n} ticked</source>
        <translation>Sortieren und filtern: {n} angekreuzt</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>Spanisch</translation>
    </message>
    <message>
        <source>Speak the question</source>
        <translation>Die Frage sprechen</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Wird gestartet</translation>
    </message>
    <message>
        <source>Statements cite manual pages, or site notes where they say so. Go by the manual: check it before you work on the equipment.</source>
        <translation>Aussagen nennen Seiten der Handbücher oder, wo sie es sagen, Notizen des Standorts. Maßgebend ist das Handbuch: Prüfen Sie es, bevor Sie an der Anlage arbeiten.</translation>
    </message>
    <message>
        <source>Step {position} of {run} on {page} is missing: “{text}”</source>
        <translation>Schritt {position} von {run} auf {page} fehlt: „{text}“</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Steps per question</source>
        <translation>Schritte je Frage</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop indexing {title}</source>
        <translation>Indexierung von {title} anhalten</translation>
    </message>
    <message>
        <source>Stopped before there was an answer.</source>
        <translation>Angehalten, bevor es eine Antwort gab.</translation>
    </message>
    <message>
        <source>Stopped. Attach or update the pack again to go on.</source>
        <translation>Angehalten. Binden Sie das Paket noch einmal ein oder aktualisieren Sie es, um weiterzumachen.</translation>
    </message>
    <message>
        <source>Stopped. Nothing was compared.</source>
        <translation>Angehalten. Nichts wurde verglichen.</translation>
    </message>
    <message>
        <source>Stopped. Nothing was imported.</source>
        <translation>Angehalten. Nichts wurde importiert.</translation>
    </message>
    <message>
        <source>Stopped. Your text is still here.</source>
        <translation>Angehalten. Ihr Text ist noch da.</translation>
    </message>
    <message>
        <source>Stopped. {done} of {total} searchable.</source>
        <translation>Angehalten. {done} von {total} durchsuchbar.</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird angehalten</translation>
    </message>
    <message>
        <source>Structure it by rules instead, or choose a larger model on the Models page.</source>
        <translation>Lassen Sie es stattdessen durch Regeln ordnen, oder wählen Sie ein größeres Modell auf der Seite „Modelle“.</translation>
    </message>
    <message>
        <source>Summarising what was found{of_all}</source>
        <translation>Das Gefundene wird zusammengefasst{of_all}</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>Tables of questions (*.csv *.xlsx *.CSV *.XLSX)</source>
        <translation>Tabellen mit Fragen (*.csv *.xlsx *.CSV *.XLSX)</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Schlagwort</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Tags, trust and revision</source>
        <translation>Schlagwörter, Vertrauen und Revision</translation>
    </message>
    <message>
        <source>Tags, trust and revision…</source>
        <translation>Schlagwörter, Vertrauen und Revision …</translation>
    </message>
    <message>
        <source>Remove tags</source>
        <translation>Schlagwörter entfernen</translation>
    </message>
    <message>
        <source>Remove this pack&apos;s manuals from the library? Your notes, highlights and marks in them are kept and come back with them.</source>
        <translation>Die Handbücher dieses Pakets aus der Bibliothek nehmen? Was Sie in ihnen notiert, hervorgehoben und markiert haben, bleibt erhalten und kommt mit ihnen wieder.</translation>
    </message>
    <message>
        <source>Take the photo again: closer, straight on, no glare, with the plate filling the picture.</source>
        <translation>Fotografieren Sie noch einmal: näher, gerade von vorn, ohne Spiegelung, das Schild so groß wie das Bild.</translation>
    </message>
    <message>
        <source>Adding manuals</source>
        <translation>Handbücher hinzufügen</translation>
    </message>
    <message>
        <source>How many pages each search adds.</source>
        <translation>Wie viele Seiten jede Suche hinzufügt.</translation>
    </message>
    <message>
        <source>That is the user&apos;s own question.</source>
        <translation>Das ist die gestellte Frage selbst.</translation>
    </message>
    <message>
        <source>The answer has sections other than metadata, pieces and graph.</source>
        <translation>Die Antwort hat andere Abschnitte als metadata, pieces und graph.</translation>
    </message>
    <message>
        <source>The answer holds no knowledge.</source>
        <translation>Die Antwort enthält kein Wissen.</translation>
    </message>
    <message>
        <source>The answer hit its length limit and ends early.</source>
        <translation>Die Antwort hat ihre größte Länge erreicht und endet vorzeitig.</translation>
    </message>
    <message>
        <source>The answer was interrupted</source>
        <translation>Die Antwort wurde unterbrochen</translation>
    </message>
    <message>
        <source>The answer was not found.</source>
        <translation>Die Antwort wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>The answers cannot overwrite the questions.</source>
        <translation>Die Antworten können nicht über die Fragen geschrieben werden.</translation>
    </message>
    <message>
        <source>The bookmark could not be saved: {why}</source>
        <translation>Das Lesezeichen konnte nicht gespeichert werden: {why}</translation>
    </message>
    <message>
        <source>The call failed.</source>
        <translation>Der Aufruf ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>The cited pages do not say this: {what}</source>
        <translation>Die zitierten Seiten sagen das nicht: {what}</translation>
    </message>
    <message>
        <source>The claim is contradicted</source>
        <translation>Der Behauptung wird widersprochen</translation>
    </message>
    <message>
        <source>The claim is supported</source>
        <translation>Die Behauptung ist belegt</translation>
    </message>
    <message>
        <source>The critic rejected the draft.</source>
        <translation>Der Kritiker hat den Entwurf zurückgewiesen.</translation>
    </message>
    <message>
        <source>Addressing the critic&apos;s objections.</source>
        <translation>Die Einwände des Kritikers werden eingearbeitet.</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>Der Datenträger ist voll</translation>
    </message>
    <message>
        <source>The destination disk cannot hold files over 4 GB (FAT32). Format it as exFAT, or use another one.</source>
        <translation>Der Zieldatenträger fasst keine Dateien über 4 GB (FAT32). Formatieren Sie ihn mit exFAT, oder verwenden Sie einen anderen.</translation>
    </message>
    <message>
        <source>The disk with the library is not responding</source>
        <translation>Der Datenträger mit der Bibliothek antwortet nicht</translation>
    </message>
    <message>
        <source>The download of {id} stopped unexpectedly. What has arrived is kept: try again to resume.</source>
        <translation>Das Herunterladen von {id} wurde unerwartet unterbrochen. Was angekommen ist, bleibt: Versuchen Sie es erneut, um dort fortzufahren.</translation>
    </message>
    <message>
        <source>The download stopped</source>
        <translation>Das Herunterladen wurde unterbrochen</translation>
    </message>
    <message>
        <source>The draft is in your mail program.</source>
        <translation>Der Entwurf ist in Ihrem Mailprogramm.</translation>
    </message>
    <message>
        <source>The draft is saved; open it in your mail program to send it: {path}</source>
        <translation>Der Entwurf ist gespeichert; öffnen Sie ihn in Ihrem Mailprogramm, um ihn zu senden: {path}</translation>
    </message>
    <message>
        <source>The draft states nothing.</source>
        <translation>Der Entwurf sagt nichts aus.</translation>
    </message>
    <message>
        <source>The draft was not reviewed.</source>
        <translation>Der Entwurf wurde nicht geprüft.</translation>
    </message>
    <message>
        <source>The file cannot be read: {reason}.</source>
        <translation>Die Datei kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>The file changed while it was being read.</source>
        <translation>Die Datei hat sich geändert, während sie gelesen wurde.</translation>
    </message>
    <message>
        <source>The file does not exist.</source>
        <translation>Die Datei ist nicht vorhanden.</translation>
    </message>
    <message>
        <source>The file has no pages.</source>
        <translation>Die Datei hat keine Seiten.</translation>
    </message>
    <message>
        <source>The first search failed; try the words that matter.</source>
        <translation>Die erste Suche blieb ohne Ergebnis; mit den entscheidenden Wörtern versuchen.</translation>
    </message>
    <message>
        <source>The folder “{folder}” cannot be reached. It is checked again every minute; nothing in it counts as removed.</source>
        <translation>Der Ordner „{folder}“ ist nicht erreichbar. Er wird jede Minute wieder angesehen; nichts darin gilt als entfernt.</translation>
    </message>
    <message>
        <source>The header of {name} is damaged.</source>
        <translation>Der Kopf von {name} ist beschädigt.</translation>
    </message>
    <message>
        <source>The tool&apos;s inputs are wrong.</source>
        <translation>Die Eingaben des Werkzeugs sind falsch.</translation>
    </message>
    <message>
        <source>The key {name} is trusted from now on. Compare its digits with those your company gives you: {digits}.</source>
        <translation>Dem Schlüssel {name} wird ab jetzt vertraut. Vergleichen Sie seine Ziffern mit denen, die Ihre Firma nennt: {digits}.</translation>
    </message>
    <message>
        <source>The keys that this computer trusts cannot be read. {reason}</source>
        <translation>Die Schlüssel, denen dieser Computer vertraut, können nicht gelesen werden. {reason}</translation>
    </message>
    <message>
        <source>The knowledge file is version {version}; this program knows {migrations}. Update the program to open it.</source>
        <translation>Die Wissensdatei hat Version {version}, dieses Programm kennt {migrations}. Aktualisieren Sie das Programm, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>The language changes as soon as the current work is done.</source>
        <translation>Die Sprache wechselt, sobald die laufende Arbeit erledigt ist.</translation>
    </message>
    <message>
        <source>The language model (DSPy)</source>
        <translation>Das Sprachmodell (DSPy)</translation>
    </message>
    <message>
        <source>The language model (one fixed prompt)</source>
        <translation>Das Sprachmodell (ein fester Prompt)</translation>
    </message>
    <message>
        <source>The language model used a weak page.</source>
        <translation>Das Sprachmodell stützte sich auf eine schwache Seite.</translation>
    </message>
    <message>
        <source>The language model did not structure the text</source>
        <translation>Das Sprachmodell hat den Text nicht geordnet</translation>
    </message>
    <message>
        <source>The language model did not structure the text. {by_rules}</source>
        <translation>Das Sprachmodell hat den Text nicht geordnet. {by_rules}</translation>
    </message>
    <message>
        <source>The language model found no answer, but a quote is certain enough.</source>
        <translation>Das Sprachmodell fand keine Antwort, aber ein Zitat ist sicher genug.</translation>
    </message>
    <message>
        <source>The language model found no way to answer.</source>
        <translation>Das Sprachmodell fand keinen Weg zu einer Antwort.</translation>
    </message>
    <message>
        <source>Sorted by the language model.</source>
        <translation>Das Sprachmodell hat es sortiert.</translation>
    </message>
    <message>
        <source>The language model took longer than {n} seconds.</source>
        <translation>Das Sprachmodell brauchte länger als {n} Sekunden.</translation>
    </message>
    <message>
        <source>The language model&apos;s answer could not be used</source>
        <translation>Die Antwort des Sprachmodells war nicht verwendbar</translation>
    </message>
    <message>
        <source>The language model, every time</source>
        <translation>Das Sprachmodell, jedes Mal</translation>
    </message>
    <message>
        <source>The largest that fits this computer</source>
        <translation>Das größte, das auf diesen Computer passt</translation>
    </message>
    <message>
        <source>The library could not do this</source>
        <translation>Die Bibliothek konnte dies nicht ausführen</translation>
    </message>
    <message>
        <source>The library file is damaged</source>
        <translation>Die Bibliotheksdatei ist beschädigt</translation>
    </message>
    <message>
        <source>The library folder cannot be written to</source>
        <translation>Der Ordner der Bibliothek ist nicht beschreibbar</translation>
    </message>
    <message>
        <source>The library has {num_objects} manuals: {titles}</source>
        <translation>Handbücher in der Bibliothek: {num_objects}: {titles}</translation>
    </message>
    <message>
        <source>The library is intact again; the damaged file is kept with its backups.</source>
        <translation>Die Bibliothek ist wieder in Ordnung; die beschädigte Datei liegt bei ihren Sicherungen.</translation>
    </message>
    <message>
        <source>The library&apos;s copy of the file is missing. Add it again.</source>
        <translation>Die Kopie der Datei in der Bibliothek fehlt. Fügen Sie sie wieder hinzu.</translation>
    </message>
    <message>
        <source>The library&apos;s copy {name} is damaged. Run &apos;groundwork library check&apos;, add that manual again, then export.</source>
        <translation>Die Kopie {name} der Bibliothek ist beschädigt. Führen Sie „groundwork library check“ aus, fügen Sie dieses Handbuch wieder hinzu, und exportieren Sie dann.</translation>
    </message>
    <message>
        <source>The list of steps may be incomplete: open the cited page and compare.</source>
        <translation>Die Liste der Schritte ist vielleicht nicht vollständig: Öffnen Sie die zitierte Seite und vergleichen Sie.</translation>
    </message>
    <message>
        <source>The list of watched folders was damaged. It is empty now: add the folders again.</source>
        <translation>Die Liste der beobachteten Ordner war beschädigt. Sie ist jetzt leer: Fügen Sie die Ordner wieder hinzu.</translation>
    </message>
    <message>
        <source>The pack&apos;s list of contents cannot be read: it is damaged, or was made by a newer Groundwork. Copy it again, or update Groundwork.</source>
        <translation>Das Verzeichnis des Pakets kann nicht gelesen werden: Es ist beschädigt, oder ein neueres Groundwork hat es gemacht. Kopieren Sie es neu, oder aktualisieren Sie Groundwork.</translation>
    </message>
    <message>
        <source>groundwork-model.json describes a {role} model of the {family} family, config.json a {role2} model of the {name} family.</source>
        <translation>groundwork-model.json beschreibt ein Modell der Rolle {role} und der Familie {family}, config.json eines der Rolle {role2} und der Familie {name}.</translation>
    </message>
    <message>
        <source>The file {manifest_name} is not valid: {value}{what}.</source>
        <translation>Die Datei {manifest_name} ist nicht gültig: {value}{what}.</translation>
    </message>
    <message>
        <source>The file {manifest_name} is too large.</source>
        <translation>Die Datei {manifest_name} ist zu groß.</translation>
    </message>
    <message>
        <source>Go by the manual: check it before you work on the equipment.</source>
        <translation>Maßgebend ist das Handbuch: Prüfen Sie es, bevor Sie an der Anlage arbeiten.</translation>
    </message>
    <message>
        <source>The manual says: </source>
        <translation>Im Handbuch steht: </translation>
    </message>
    <message>
        <source>The manual says: {text}</source>
        <translation>Im Handbuch steht: {text}</translation>
    </message>
    <message>
        <source>The manuals are protected. Enter their password in the library, then ask again.</source>
        <translation>Die Handbücher sind geschützt. Geben Sie ihr Passwort in der Bibliothek ein und fragen Sie dann noch einmal.</translation>
    </message>
    <message>
        <source>The manuals are quoted instead.</source>
        <translation>Stattdessen werden die Handbücher zitiert.</translation>
    </message>
    <message>
        <source>The manuals are still being read. Ask again in a moment.</source>
        <translation>Die Handbücher werden noch gelesen. Fragen Sie gleich noch einmal.</translation>
    </message>
    <message>
        <source>The manuals do not seem to answer: “{asked}”</source>
        <translation>Darauf scheinen die Handbücher nicht zu antworten: „{asked}“</translation>
    </message>
    <message>
        <source>This is about the manuals themselves.</source>
        <translation>Es wird nach den Handbüchern selbst gefragt.</translation>
    </message>
    <message>
        <source>The model pack was refused</source>
        <translation>Das Modellpaket wurde abgelehnt</translation>
    </message>
    <message>
        <source>No id can be made from {name}. Give one with --id.</source>
        <translation>Aus dem Namen {name} lässt sich keine Kennung bilden. Geben Sie eine mit --id an.</translation>
    </message>
    <message>
        <source>The nearest page is {page} of {manual}.</source>
        <translation>Am nächsten kommt Seite {page} von {manual}.</translation>
    </message>
    <message>
        <source>The newest revision wins</source>
        <translation>Die neueste Revision gilt</translation>
    </message>
    <message>
        <source>There is no entry {node_id}.</source>
        <translation>Einen Eintrag {node_id} gibt es nicht.</translation>
    </message>
    <message>
        <source>The notes cannot be opened or written</source>
        <translation>Die Notizen können nicht geöffnet oder geschrieben werden</translation>
    </message>
    <message>
        <source>The site notes could not be read; only the manuals are searched.</source>
        <translation>Die Notizen des Standorts konnten nicht gelesen werden; nur die Handbücher werden befragt.</translation>
    </message>
    <message>
        <source>The notes were written by a newer Groundwork</source>
        <translation>Die Notizen wurden von einem neueren Groundwork geschrieben</translation>
    </message>
    <message>
        <source>The options are the same.</source>
        <translation>Die Möglichkeiten sind dieselben.</translation>
    </message>
    <message>
        <source>The pack {name} expired on {day}. Ask whoever makes it for a newer release.</source>
        <translation>Das Paket {name} ist am {day} abgelaufen. Bitten Sie, wer es macht, um eine neuere Version.</translation>
    </message>
    <message>
        <source>The page is not shown here.</source>
        <translation>Die Seite wird hier nicht gezeigt.</translation>
    </message>
    <message>
        <source>The page is not shown: {reason}.</source>
        <translation>Die Seite wird nicht gezeigt: {reason}.</translation>
    </message>
    <message>
        <source>The page shown now</source>
        <translation>Die Seite, die gerade gezeigt wird</translation>
    </message>
    <message>
        <source>This library&apos;s pages have not been looked at yet. Come back when indexing is done.</source>
        <translation>Die Seiten dieser Bibliothek sind noch nicht angesehen. Kommen Sie wieder, wenn die Indexierung fertig ist.</translation>
    </message>
    <message>
        <source>The photo</source>
        <translation>Das Foto</translation>
    </message>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>Das Bild ist in der Zwischenablage</translation>
    </message>
    <message>
        <source>The page pictures were left out of the search: {reason}.</source>
        <translation>Die Bilder der Seiten blieben bei der Suche außen vor: {reason}.</translation>
    </message>
    <message>
        <source>The printer is not responding: choose another one</source>
        <translation>Der Drucker antwortet nicht: Wählen Sie einen anderen</translation>
    </message>
    <message>
        <source>The question asks for verification.</source>
        <translation>Die Frage verlangt, etwas zu überprüfen.</translation>
    </message>
    <message>
        <source>The question could mean several things.</source>
        <translation>Die Frage kann auf mehrere Arten gemeint sein.</translation>
    </message>
    <message>
        <source>The question compares notes with the manuals.</source>
        <translation>Die Frage vergleicht Notizen mit den Handbüchern.</translation>
    </message>
    <message>
        <source>The question could not be answered</source>
        <translation>Die Frage konnte nicht beantwortet werden</translation>
    </message>
    <message>
        <source>The question could not be answered.</source>
        <translation>Die Frage konnte nicht beantwortet werden.</translation>
    </message>
    <message>
        <source>The question is about a picture.</source>
        <translation>Die Frage gilt einem Bild.</translation>
    </message>
    <message>
        <source>The question is about a region framed on a page.</source>
        <translation>Die Frage betrifft einen Bereich, der auf einer Seite gerahmt wurde.</translation>
    </message>
    <message>
        <source>The question is empty.</source>
        <translation>Die Frage ist leer.</translation>
    </message>
    <message>
        <source>The first search uses the question&apos;s own words.</source>
        <translation>Nach der Frage wird zuerst mit ihren eigenen Wörtern gesucht.</translation>
    </message>
    <message>
        <source>The question took longer than {seconds} seconds and was stopped.</source>
        <translation>Die Frage dauerte länger als {seconds} Sekunden und wurde angehalten.</translation>
    </message>
    <message>
        <source>The question was not answered.</source>
        <translation>Die Frage wurde nicht beantwortet.</translation>
    </message>
    <message>
        <source>Above this, the reader is restarted.</source>
        <translation>Darüber wird der Leser neu gestartet.</translation>
    </message>
    <message>
        <source>The report could not be checked.</source>
        <translation>Der Bericht konnte nicht geprüft werden.</translation>
    </message>
    <message>
        <source>The report is saved: {path}</source>
        <translation>Der Bericht ist gespeichert: {path}</translation>
    </message>
    <message>
        <source>The report is written.</source>
        <translation>Der Bericht ist geschrieben.</translation>
    </message>
    <message>
        <source>The report was written in {rounds}.</source>
        <translation>Der Bericht wurde in {rounds} geschrieben.</translation>
    </message>
    <message>
        <source>The research was stopped.</source>
        <translation>Die Recherche wurde angehalten.</translation>
    </message>
    <message>
        <source>The settings file could not be used: {reason}. The defaults are in use; the old file was kept as {name}.</source>
        <translation>Die Datei mit den Einstellungen war nicht verwendbar: {reason}. Es gelten die Vorgaben; die alte Datei liegt als {name} daneben.</translation>
    </message>
    <message>
        <source>Your team&apos;s shared folder cannot be reached ({name}). Your notes stay here and go there when it is back.</source>
        <translation>Der gemeinsame Ordner Ihres Teams ist nicht erreichbar ({name}). Ihre Notizen bleiben hier und gehen dorthin, wenn er wieder da ist.</translation>
    </message>
    <message>
        <source>Site notes say: </source>
        <translation>In den Notizen steht: </translation>
    </message>
    <message>
        <source>Site notes say: {text}</source>
        <translation>In den Notizen steht: {text}</translation>
    </message>
    <message>
        <source>The sources do not say anything about this.</source>
        <translation>Die Quellen sagen dazu nichts.</translation>
    </message>
    <message>
        <source>The strongest one here; uses 5.1 billion of its weights per token.</source>
        <translation>Das stärkste hier; 5,1 Milliarden seiner Gewichte arbeiten je Token.</translation>
    </message>
    <message>
        <source>The system could not open it; the file is at {path}</source>
        <translation>Das System konnte es nicht öffnen; die Datei ist {path}</translation>
    </message>
    <message>
        <source>The system could not show {name}; its copy is at {path}</source>
        <translation>Das System konnte {name} nicht zeigen; die Kopie ist {path}</translation>
    </message>
    <message>
        <source>The system refused: {reason}{where}</source>
        <translation>Das System lehnte ab: {reason}{where}</translation>
    </message>
    <message>
        <source>The system&apos;s voice is not working. Check its sound settings and try again.</source>
        <translation>Die Stimme des Systems spricht nicht. Prüfen Sie die Toneinstellungen und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>Der Text</translation>
    </message>
    <message>
        <source>The vision model could not look at it.</source>
        <translation>Das Bildmodell konnte den Bereich nicht ansehen.</translation>
    </message>
    <message>
        <source>The vision model had nothing to say about these pages.</source>
        <translation>Das Bildmodell hatte zu diesen Seiten nichts zu sagen.</translation>
    </message>
    <message>
        <source>The vision model had nothing to say.</source>
        <translation>Das Bildmodell hatte nichts zu sagen.</translation>
    </message>
    <message>
        <source>The weights are not complete: {missing}{more} {value} missing. Copy or download the model again.</source>
        <translation>Die Gewichte sind nicht vollständig; es fehlt: {missing}{more} ({value}). Kopieren Sie das Modell neu oder laden Sie es erneut herunter.</translation>
    </message>
    <message>
        <source>Building stopped before {name} was read. Install the same Groundwork on every computer, share the manuals and pack folders with all of them, and check Ray&apos;s logs. Build again to continue from here.</source>
        <translation>Der Bau endete, bevor {name} gelesen war. Installieren Sie auf jedem Computer dasselbe Groundwork, geben Sie die Ordner der Handbücher und des Pakets für alle frei und sehen Sie in die Protokolle von Ray. Bauen Sie noch einmal, um von hier aus weiterzumachen.</translation>
    </message>
    <message>
        <source>The {agent_name}&apos;s reply could not be used. {complaint}</source>
        <translation>Die Antwort des Teils „{agent_name}“ war nicht verwendbar. {complaint}</translation>
    </message>
    <message>
        <source>The {agent} took longer than {seconds} seconds.</source>
        <translation>Der Teil „{agent}“ brauchte länger als {seconds} Sekunden.</translation>
    </message>
    <message>
        <source>The {engine} template for {info_type} cannot be used: {error}</source>
        <translation>Die Vorlage ({engine}) für {info_type} ist nicht verwendbar: {error}</translation>
    </message>
    <message>
        <source>There are no links on this page</source>
        <translation>Auf dieser Seite gibt es keine Verknüpfungen</translation>
    </message>
    <message>
        <source>There are no words in this region</source>
        <translation>In diesem Bereich stehen keine Wörter</translation>
    </message>
    <message>
        <source>There are no words on this page.</source>
        <translation>Auf dieser Seite stehen keine Wörter.</translation>
    </message>
    <message>
        <source>Several models found ({listed}): name one of them.</source>
        <translation>Mehrere Modelle gefunden ({listed}): Nennen Sie eines davon.</translation>
    </message>
    <message>
        <source>There are {n} manuals in this library:</source>
        <translation>In dieser Bibliothek gibt es {n} Handbücher:</translation>
    </message>
    <message>
        <source>There is 1 manual in this library:</source>
        <translation>In dieser Bibliothek gibt es 1 Handbuch:</translation>
    </message>
    <message>
        <source>There is a file where a folder is needed{where}</source>
        <translation>Wo ein Ordner nötig ist, liegt eine Datei{where}</translation>
    </message>
    <message>
        <source>The file {target} already exists.</source>
        <translation>Eine Datei {target} gibt es schon.</translation>
    </message>
    <message>
        <source>There is a folder where a file is needed{where}</source>
        <translation>Wo eine Datei nötig ist, liegt ein Ordner{where}</translation>
    </message>
    <message>
        <source>There is no answer to pass on yet.</source>
        <translation>Es gibt noch keine Antwort, die weitergegeben werden könnte.</translation>
    </message>
    <message>
        <source>There is no answer.</source>
        <translation>Es gibt keine Antwort.</translation>
    </message>
    <message>
        <source>There is no file or folder {path}.</source>
        <translation>Eine Datei oder einen Ordner {path} gibt es nicht.</translation>
    </message>
    <message>
        <source>There is no folder {parent} to write the pack into.</source>
        <translation>Den Ordner {parent}, in den das Paket geschrieben werden soll, gibt es nicht.</translation>
    </message>
    <message>
        <source>A heat map needs a page model (ColQwen). Add one on the Models page; the pages are then looked at in the background.</source>
        <translation>Ohne ein Seitenmodell (ColQwen) gibt es keine Heatmap. Fügen Sie eines auf der Seite „Modelle“ hinzu; dann werden die Seiten im Hintergrund angesehen.</translation>
    </message>
    <message>
        <source>There is no language model.</source>
        <translation>Es gibt kein Sprachmodell.</translation>
    </message>
    <message>
        <source>There is no language model: the report quotes the manuals word for word. Install one on the Models page.</source>
        <translation>Es gibt kein Sprachmodell: Der Bericht zitiert die Handbücher wörtlich. Modelle werden auf der Seite „Modelle“ installiert.</translation>
    </message>
    <message>
        <source>There is no manual “{name}” among those searched.</source>
        <translation>Unter den gefragten Handbüchern ist kein „{name}“.</translation>
    </message>
    <message>
        <source>There is no model {model_id} in {root}.</source>
        <translation>Ein Modell {model_id} gibt es in {root} nicht.</translation>
    </message>
    <message>
        <source>There is no page {page} in {names}.</source>
        <translation>Eine Seite {page} gibt es in {names} nicht.</translation>
    </message>
    <message>
        <source>There is no page “{page}” in this manual</source>
        <translation>In diesem Handbuch gibt es keine Seite „{page}“</translation>
    </message>
    <message>
        <source>There is no question in this row.</source>
        <translation>In dieser Zeile steht keine Frage.</translation>
    </message>
    <message>
        <source>There is no question in {name}.</source>
        <translation>In {name} steht keine Frage.</translation>
    </message>
    <message>
        <source>There is no source {named}: “{text}”</source>
        <translation>Eine Quelle {named} gibt es nicht: „{text}“</translation>
    </message>
    <message>
        <source>There is no table in {name}.</source>
        <translation>In {name} ist keine Tabelle.</translation>
    </message>
    <message>
        <source>There is no tool called {tool}.</source>
        <translation>Ein Werkzeug {tool} gibt es nicht.</translation>
    </message>
    <message>
        <source>There is no vision model, so the drawing itself was not read.</source>
        <translation>Es gibt kein Bildmodell, daher wurde die Zeichnung selbst nicht gelesen.</translation>
    </message>
    <message>
        <source>There is no {adapter_name}: this is not a LoRA adapter.</source>
        <translation>Es gibt keine {adapter_name}: Das ist kein LoRA-Adapter.</translation>
    </message>
    <message>
        <source>There is no {config_name}: this is not a model folder.</source>
        <translation>Es gibt keine {config_name}: Das ist kein Modellordner.</translation>
    </message>
    <message>
        <source>There is not enough memory</source>
        <translation>Der Arbeitsspeicher reicht nicht</translation>
    </message>
    <message>
        <source>There is not enough memory for this model</source>
        <translation>Der Arbeitsspeicher reicht für dieses Modell nicht</translation>
    </message>
    <message>
        <source>There is not enough room for {what}: it needs {needed_bytes} and {free} is free in {folder}. Free up {missing} more and try again.</source>
        <translation>Der Platz reicht nicht für {what}: Nötig sind {needed_bytes}, frei sind {free} in {folder}. Geben Sie {missing} mehr frei und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>There is nothing to search.</source>
        <translation>Es gibt nichts, das durchsucht werden kann.</translation>
    </message>
    <message>
        <source>This is more than {most} lines.</source>
        <translation>Das sind mehr als {most} Zeilen.</translation>
    </message>
    <message>
        <source>These questions were not asked</source>
        <translation>Diese Fragen wurden nicht gestellt</translation>
    </message>
    <message>
        <source>They agree.</source>
        <translation>Sie stimmen überein.</translation>
    </message>
    <message>
        <source>They contradict each other.</source>
        <translation>Sie widersprechen einander.</translation>
    </message>
    <message>
        <source>Thinks before it answers.</source>
        <translation>Denkt nach, bevor es antwortet.</translation>
    </message>
    <message>
        <source>This PDF could not be read</source>
        <translation>Diese PDF-Datei konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>This PDF is damaged or has no pages</source>
        <translation>Diese PDF-Datei ist beschädigt oder hat keine Seiten</translation>
    </message>
    <message>
        <source>This PDF is protected</source>
        <translation>Diese PDF-Datei ist geschützt</translation>
    </message>
    <message>
        <source>This backup cannot be used</source>
        <translation>Diese Sicherung kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>This cannot be saved as it is.</source>
        <translation>So kann es nicht übernommen werden.</translation>
    </message>
    <message>
        <source>This conversation is no longer in the library</source>
        <translation>Diese Unterhaltung ist nicht mehr in der Bibliothek</translation>
    </message>
    <message>
        <source>This disk cannot hold a file that large{where}</source>
        <translation>Dieser Datenträger fasst keine so große Datei{where}</translation>
    </message>
    <message>
        <source>This file cannot be used</source>
        <translation>Diese Datei kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>This file is not a PDF</source>
        <translation>Diese Datei ist keine PDF-Datei</translation>
    </message>
    <message>
        <source>This file was not added</source>
        <translation>Diese Datei wurde nicht hinzugefügt</translation>
    </message>
    <message>
        <source>This folder cannot be watched</source>
        <translation>Dieser Ordner kann nicht beobachtet werden</translation>
    </message>
    <message>
        <source>This folder does not hold a Groundwork library</source>
        <translation>Dieser Ordner enthält keine Groundwork-Bibliothek</translation>
    </message>
    <message>
        <source>This is a LoRA adapter: it changes another model and does not run by itself. Import it with its base: groundwork models import ADAPTER --base FOLDER.</source>
        <translation>Das ist ein LoRA-Adapter: Er ändert ein anderes Modell und läuft nicht allein. Importieren Sie ihn mit seinem Basismodell: groundwork models import ADAPTER --base ORDNER.</translation>
    </message>
    <message>
        <source>This is a database from another program.</source>
        <translation>Das ist die Datenbank eines anderen Programms.</translation>
    </message>
    <message>
        <source>This is longer than {most} characters.</source>
        <translation>Das ist länger als {most} Zeichen.</translation>
    </message>
    <message>
        <source>This is not a file.</source>
        <translation>Das ist keine Datei.</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>Nicht gespeichert</translation>
    </message>
    <message>
        <source>This is the only thing in Groundwork that uses a network. It tells {host} this computer&apos;s address and which model it wants; no manual or question leaves this computer.</source>
        <translation>Nur dies verwendet in Groundwork ein Netz. {host} erfährt dabei die Adresse dieses Computers und welches Modell gewünscht wird; kein Handbuch und keine Frage verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>This is too long for the model</source>
        <translation>Das ist zu lang für das Modell</translation>
    </message>
    <message>
        <source>This library is open in another Groundwork</source>
        <translation>Diese Bibliothek ist in einem anderen Groundwork geöffnet</translation>
    </message>
    <message>
        <source>This library is on a network share ({kind}). Two computers using it at once, or a broken connection, can damage it. Keep it on a disk of this computer, and transfer it with &apos;groundwork library export&apos;.</source>
        <translation>Diese Bibliothek liegt auf einem Netzlaufwerk ({kind}). Zwei Computer, die sie gleichzeitig verwenden, oder eine unterbrochene Verbindung können sie beschädigen. Bewahren Sie sie auf einem Datenträger dieses Computers auf, und übertragen Sie sie mit „groundwork library export“.</translation>
    </message>
    <message>
        <source>This library was written by a newer Groundwork</source>
        <translation>Diese Bibliothek wurde von einem neueren Groundwork geschrieben</translation>
    </message>
    <message>
        <source>This manual cannot be opened: {why}</source>
        <translation>Dieses Handbuch kann nicht geöffnet werden: {why}</translation>
    </message>
    <message>
        <source>This manual cannot be shown</source>
        <translation>Dieses Handbuch kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>This manual is being read</source>
        <translation>Dieses Handbuch wird gelesen</translation>
    </message>
    <message>
        <source>This manual is locked</source>
        <translation>Dieses Handbuch ist gesperrt</translation>
    </message>
    <message>
        <source>This manual is no longer in the library</source>
        <translation>Dieses Handbuch ist nicht mehr in der Bibliothek</translation>
    </message>
    <message>
        <source>This may not be the answer.</source>
        <translation>Das ist vielleicht nicht die Antwort.</translation>
    </message>
    <message>
        <source>This model cannot run here</source>
        <translation>Dieses Modell kann hier nicht laufen</translation>
    </message>
    <message>
        <source>This note was changed elsewhere too. Yours is still in the fields: Save replaces the other one, Revert shows it.</source>
        <translation>Diese Notiz wurde auch an anderer Stelle geändert. Ihre steht noch in den Feldern: „Speichern“ ersetzt die andere, „Zurücknehmen“ zeigt sie.</translation>
    </message>
    <message>
        <source>This page could not be drawn: {why}</source>
        <translation>Diese Seite konnte nicht gezeichnet werden: {why}</translation>
    </message>
    <message>
        <source>This page has not been looked at yet. Come back when indexing is done.</source>
        <translation>Diese Seite ist noch nicht angesehen. Kommen Sie wieder, wenn die Indexierung fertig ist.</translation>
    </message>
    <message>
        <source>This page does not exist</source>
        <translation>Diese Seite gibt es nicht</translation>
    </message>
    <message>
        <source>This page is under “Welcome” in the Help menu.</source>
        <translation>Diese Seite finden Sie unter „Willkommen“ im Menü „Hilfe“.</translation>
    </message>
    <message>
        <source>This part comes without its licence text; the name above says which licence it is.</source>
        <translation>Dieser Teil bringt keinen Lizenztext mit; der Name oben sagt, welche Lizenz es ist.</translation>
    </message>
    <message>
        <source>This question was not stored: {title}.</source>
        <translation>Diese Frage wurde nicht gespeichert: {title}.</translation>
    </message>
    <message>
        <source>This value is not allowed here; the old one is kept.</source>
        <translation>Dieser Wert ist hier nicht möglich; der alte bleibt.</translation>
    </message>
    <message>
        <source>Not done.</source>
        <translation>Nicht ausgeführt.</translation>
    </message>
    <message>
        <source>Tier {n}: {kind}</source>
        <translation>Stufe {n}: {kind}</translation>
    </message>
    <message>
        <source>Total time</source>
        <translation>Zeit für alles</translation>
    </message>
    <message>
        <source>Time per page</source>
        <translation>Zeit je Seite</translation>
    </message>
    <message>
        <source>Time per question</source>
        <translation>Zeit je Frage</translation>
    </message>
    <message>
        <source>Time to open</source>
        <translation>Zeit zum Öffnen</translation>
    </message>
    <message>
        <source>Title of “{name}”:</source>
        <translation>Titel von „{name}“:</translation>
    </message>
    <message>
        <source>Title:</source>
        <translation>Titel:</translation>
    </message>
    <message>
        <source>Planned: {listed}.</source>
        <translation>Geplant: {listed}.</translation>
    </message>
    <message>
        <source>Included with every question</source>
        <translation>Wird bei jeder Frage mitgeteilt</translation>
    </message>
    <message>
        <source>Too large for this computer: it needs {needed}; models may use {budget}.</source>
        <translation>Zu groß für diesen Computer: Es braucht {needed}, Modelle dürfen {budget} verwenden.</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Schulung</translation>
    </message>
    <message>
        <source>Training material</source>
        <translation>Schulungsunterlagen</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>Vertrauen</translation>
    </message>
    <message>
        <source>Trust a key…</source>
        <translation>Einem Schlüssel vertrauen …</translation>
    </message>
    <message>
        <source>Trust in documents</source>
        <translation>Vertrauen in Dokumente</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Try again, or add a better copy of the file.</source>
        <translation>Versuchen Sie es erneut, oder fügen Sie eine bessere Kopie der Datei hinzu.</translation>
    </message>
    <message>
        <source>Try again, or raise the limits in the settings under &apos;Reading PDFs&apos;.</source>
        <translation>Versuchen Sie es erneut, oder erhöhen Sie die Grenzen in den Einstellungen unter „PDF-Dateien lesen“.</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>Versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Try again. If it happens again, report it with the newest file in the library&apos;s folder &apos;logs&apos;.</source>
        <translation>Versuchen Sie es erneut. Wenn es wieder geschieht, melden Sie es bitte mit der neuesten Datei aus dem Ordner „logs“ der Bibliothek.</translation>
    </message>
    <message>
        <source>Try fast_vector_search for text content</source>
        <translation>Stattdessen den Text durchsuchen</translation>
    </message>
    <message>
        <source>Try different words.</source>
        <translation>Andere Wörter versuchen.</translation>
    </message>
    <message>
        <source>Try {title} again</source>
        <translation>{title} erneut versuchen</translation>
    </message>
    <message>
        <source>Two files in it are named {name}: a Mac treats A and a as the same.</source>
        <translation>Zwei Dateien darin haben den Namen {name}: Auf einem Mac sind A und a dasselbe.</translation>
    </message>
    <message>
        <source>Two pages</source>
        <translation>Zwei Seiten</translation>
    </message>
    <message>
        <source>Type what you want to know.</source>
        <translation>Geben Sie ein, was Sie wissen möchten.</translation>
    </message>
    <message>
        <source>USB sticks often come formatted as FAT32 (4 GB file limit): reformat yours as exFAT.</source>
        <translation>USB-Sticks sind oft mit FAT32 formatiert, das bei 4 GB endet: Formatieren Sie ihn mit exFAT.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Aufklappen</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>Unlink {page}</source>
        <translation>Verknüpfung mit {page} lösen</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Entladen</translation>
    </message>
    <message>
        <source>Unload {title}</source>
        <translation>{title} entladen</translation>
    </message>
    <message>
        <source>Unlock it in the library to read it.</source>
        <translation>Entsperren Sie es in der Bibliothek, um es zu lesen.</translation>
    </message>
    <message>
        <source>Unlock it to read it.</source>
        <translation>Entsperren Sie es, um es zu lesen.</translation>
    </message>
    <message>
        <source>Unverified</source>
        <translation>Ungeprüft</translation>
    </message>
    <message>
        <source>Update Groundwork on this computer. The notes were not changed.</source>
        <translation>Aktualisieren Sie Groundwork auf diesem Computer. Die Notizen wurden nicht verändert.</translation>
    </message>
    <message>
        <source>Use a smaller model, such as {title}, or close other programs.</source>
        <translation>Verwenden Sie ein kleineres Modell, etwa {title}, oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>Use the Lite profile, which quotes the manuals and needs no such model.</source>
        <translation>Verwenden Sie das Profil „Lite“, das die Handbücher zitiert und kein solches Modell braucht.</translation>
    </message>
    <message>
        <source>Used as</source>
        <translation>Verwendet als</translation>
    </message>
    <message>
        <source>Verifying {name}</source>
        <translation>{name} wird geprüft</translation>
    </message>
    <message>
        <source>Verifying “{name}” was stopped; the files were not changed.</source>
        <translation>Das Prüfen von „{name}“ wurde angehalten; die Dateien wurden nicht verändert.</translation>
    </message>
    <message>
        <source>Version {v}</source>
        <translation>Version {v}</translation>
    </message>
    <message>
        <source>Viewer</source>
        <translation>Betrachter</translation>
    </message>
    <message>
        <source>Viewer controls</source>
        <translation>Bedienung des Betrachters</translation>
    </message>
    <message>
        <source>WARNING</source>
        <translation>WARNUNG</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Waiting, {pages}</source>
        <translation>Wartet, {pages}</translation>
    </message>
    <message>
        <source>Watch a folder</source>
        <translation>Einen Ordner beobachten</translation>
    </message>
    <message>
        <source>Watched folders</source>
        <translation>Beobachtete Ordner</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>Welcome to Groundwork</source>
        <translation>Willkommen bei Groundwork</translation>
    </message>
    <message>
        <source>What Groundwork knows</source>
        <translation>Was Groundwork weiß</translation>
    </message>
    <message>
        <source>What a language model is told of it</source>
        <translation>Was ein Sprachmodell davon erfährt</translation>
    </message>
    <message>
        <source>What are these {manuals}?</source>
        <translation>Was sind diese {manuals}?</translation>
    </message>
    <message>
        <source>What decides the next step</source>
        <translation>Was den nächsten Schritt bestimmt</translation>
    </message>
    <message>
        <source>What did you learn?</source>
        <translation>Was haben Sie gelernt?</translation>
    </message>
    <message>
        <source>What does this show? ({where})</source>
        <translation>Was zeigt dies? ({where})</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>What is shown beside the pages</source>
        <translation>Was neben den Seiten gezeigt wird</translation>
    </message>
    <message>
        <source>What is recorded about how an answer was reached.</source>
        <translation>Was darüber aufgezeichnet wird, wie eine Antwort zustande kam.</translation>
    </message>
    <message>
        <source>What is “{title}”?</source>
        <translation>Was ist „{title}“?</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was es ist</translation>
    </message>
    <message>
        <source>What it is about</source>
        <translation>Worum es geht</translation>
    </message>
    <message>
        <source>Runtime of the model that finds pages by appearance</source>
        <translation>Laufzeit für das Modell, das Seiten nach ihrem Aussehen findet</translation>
    </message>
    <message>
        <source>What was corrected</source>
        <translation>Was korrigiert wurde</translation>
    </message>
    <message>
        <source>Showing what was found so far. Allow more time in the settings.</source>
        <translation>Gezeigt wird, was bisher gefunden wurde. Erlauben Sie in den Einstellungen mehr Zeit.</translation>
    </message>
    <message>
        <source>Showing what was found so far. Try again.</source>
        <translation>Gezeigt wird, was bisher gefunden wurde. Versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>What you said and what notes say</source>
        <translation>Was Sie gesagt haben und was Notizen sagen</translation>
    </message>
    <message>
        <source>When a language model chooses to</source>
        <translation>Wenn ein Sprachmodell es wählt</translation>
    </message>
    <message>
        <source>When off, such questions are answered by an ordinary search.</source>
        <translation>Wenn ausgeschaltet, werden solche Fragen mit einer gewöhnlichen Suche beantwortet.</translation>
    </message>
    <message>
        <source>Where a newer revision of a manual says just as much, pages of the older one are left out, unless the question asks for it.</source>
        <translation>Wo eine neuere Revision eines Handbuchs ebenso viel sagt, werden Seiten der älteren ausgelassen, außer die Frage verlangt sie.</translation>
    </message>
    <message>
        <source>Where do these {manuals} belong?</source>
        <translation>Wohin gehören diese {manuals}?</translation>
    </message>
    <message>
        <source>Where does “{title}” belong?</source>
        <translation>Wohin gehört „{title}“?</translation>
    </message>
    <message>
        <source>Where pages were read by how they look, &apos;auto&apos; also searches their pictures once the model for it is in memory; it is loaded with the first question if there is room. &apos;always&apos; waits for it. With &apos;chosen&apos;, they are searched only when a language model chooses to.</source>
        <translation>Wo Seiten nach ihrem Aussehen gelesen wurden, durchsucht „auto“ auch ihre Bilder, sobald das Modell dafür im Speicher ist; mit der ersten Frage wird es geladen, wenn Platz ist. „always“ wartet darauf; mit „chosen“ werden sie nur durchsucht, wo ein Sprachmodell sich dafür entscheidet.</translation>
    </message>
    <message>
        <source>Which manual to search for what</source>
        <translation>Welches Handbuch wofür zu durchsuchen ist</translation>
    </message>
    <message>
        <source>Which models are used, and how much memory they may take together.</source>
        <translation>Welche Modelle verwendet werden und wie viel Arbeitsspeicher sie zusammen belegen dürfen.</translation>
    </message>
    <message>
        <source>Which page is right?</source>
        <translation>Welche Seite ist richtig?</translation>
    </message>
    <message>
        <source>Which product do you mean?</source>
        <translation>Welches Produkt ist gemeint?</translation>
    </message>
    <message>
        <source>Which revision do you mean?</source>
        <translation>Welche Revision ist gemeint?</translation>
    </message>
    <message>
        <source>Which {name} do you mean?</source>
        <translation>Was ist mit „{name}“ gemeint?</translation>
    </message>
    <message>
        <source>While the window is open, the library&apos;s database is copied this often.</source>
        <translation>Solange das Fenster offen ist, wird die Datenbank der Bibliothek so oft kopiert.</translation>
    </message>
    <message>
        <source>Who it is for</source>
        <translation>Für wen es ist</translation>
    </message>
    <message>
        <source>Whole question</source>
        <translation>Ganze Frage</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>Durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Withdrawn: the manuals do not say this</source>
        <translation>Zurückgezogen: Die Handbücher sagen das nicht</translation>
    </message>
    <message>
        <source>Related words</source>
        <translation>Zugehörige Wörter</translation>
    </message>
    <message>
        <source>Words to find; Enter for the next hit, Shift+Enter for the previous</source>
        <translation>Zu suchende Wörter; Enter für den nächsten Treffer, Umschalt+Enter für den vorherigen</translation>
    </message>
    <message>
        <source>Works without any model, using the least memory.</source>
        <translation>Funktioniert ohne jedes Modell und mit dem wenigsten Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>Workstation</source>
        <translation>Workstation</translation>
    </message>
    <message>
        <source>Workstation max</source>
        <translation>Workstation max</translation>
    </message>
    <message>
        <source>Write a comment</source>
        <translation>Kommentar schreiben</translation>
    </message>
    <message>
        <source>Write answers</source>
        <translation>Antworten schreiben</translation>
    </message>
    <message>
        <source>Write the report</source>
        <translation>Bericht schreiben</translation>
    </message>
    <message>
        <source>Writer, seconds</source>
        <translation>Schreiber, Sekunden</translation>
    </message>
    <message>
        <source>Writes better than the 4B model, at half its speed; can think aloud.</source>
        <translation>Schreibt besser als das 4B-Modell, halb so schnell; kann laut denken.</translation>
    </message>
    <message>
        <source>Writing the diagnostic bundle…</source>
        <translation>Das Diagnosepaket wird geschrieben …</translation>
    </message>
    <message>
        <source>Writing the report.</source>
        <translation>Der Bericht wird geschrieben.</translation>
    </message>
    <message>
        <source>Written by (role)</source>
        <translation>Verfasst von (Rolle)</translation>
    </message>
    <message>
        <source>Wrong answer</source>
        <translation>Falsche Antwort</translation>
    </message>
    <message>
        <source>You can ask now</source>
        <translation>Sie können jetzt fragen</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>Ihres</translation>
    </message>
    <message>
        <source>Yours, instead of what comes with Groundwork. It is kept in {file}.</source>
        <translation>Ihres, anstelle dessen, was Groundwork mitbringt. Es liegt in {file}.</translation>
    </message>
    <message>
        <source>Yours. It is kept in {file}.</source>
        <translation>Ihres. Es liegt in {file}.</translation>
    </message>
    <message>
        <source>Zip files (*.zip *.ZIP)</source>
        <translation>Zip-Dateien (*.zip *.ZIP)</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Vergrößerung</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>a bearer token</source>
        <translation>ein Bearer-Token</translation>
    </message>
    <message>
        <source>a caption</source>
        <translation>eine Bildunterschrift</translation>
    </message>
    <message>
        <source>a copy cannot replace the original</source>
        <translation>eine Kopie kann nicht an die Stelle des Originals treten</translation>
    </message>
    <message>
        <source>a few seconds left</source>
        <translation>noch ein paar Sekunden</translation>
    </message>
    <message>
        <source>a figure</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>a heading</source>
        <translation>eine Überschrift</translation>
    </message>
    <message>
        <source>a label in a drawing</source>
        <translation>eine Beschriftung in einer Zeichnung</translation>
    </message>
    <message>
        <source>a model of type {kind} is not a ColQwen model</source>
        <translation>ein Modell der Art {kind} ist kein ColQwen-Modell</translation>
    </message>
    <message>
        <source>a nomic_bert model with {name} = {settings} is not known here</source>
        <translation>ein nomic_bert-Modell mit {name} = {settings} ist hier nicht bekannt</translation>
    </message>
    <message>
        <source>a site note says so, but no manual does</source>
        <translation>eine Notiz des Standorts sagt es, kein Handbuch</translation>
    </message>
    <message>
        <source>a password, key or token</source>
        <translation>ein Passwort, einen Schlüssel oder ein Token</translation>
    </message>
    <message>
        <source>a private key</source>
        <translation>einen privaten Schlüssel</translation>
    </message>
    <message>
        <source>a report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>a row of a table</source>
        <translation>eine Zeile einer Tabelle</translation>
    </message>
    <message>
        <source>a secret ({kind})</source>
        <translation>ein Geheimnis ({kind})</translation>
    </message>
    <message>
        <source>a sentence</source>
        <translation>ein Satz</translation>
    </message>
    <message>
        <source>a step or an item of a list</source>
        <translation>ein Schritt oder ein Punkt einer Liste</translation>
    </message>
    <message>
        <source>a vision model read it from the picture; nothing has checked it</source>
        <translation>ein Bildmodell hat es vom Bild abgelesen; nichts hat es geprüft</translation>
    </message>
    <message>
        <source>a whole list</source>
        <translation>eine ganze Liste</translation>
    </message>
    <message>
        <source>a whole paragraph</source>
        <translation>ein ganzer Absatz</translation>
    </message>
    <message>
        <source>action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>all steps</source>
        <translation>alle Schritte</translation>
    </message>
    <message>
        <source>an API key</source>
        <translation>einen API-Schlüssel</translation>
    </message>
    <message>
        <source>an answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>an authorization header</source>
        <translation>einen Authorization-Header</translation>
    </message>
    <message>
        <source>an e-mail draft</source>
        <translation>E-Mail-Entwurf</translation>
    </message>
    <message>
        <source>analyst</source>
        <translation>Analyst</translation>
    </message>
    <message>
        <source>and {count} more lines</source>
        <translation>und {count} weitere Zeilen</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>und {n} weitere</translation>
    </message>
    <message>
        <source>asset {name}</source>
        <translation>Anlage {name}</translation>
    </message>
    <message>
        <source>at least {needed}</source>
        <translation>mindestens {needed}</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>wird gelesen</translation>
    </message>
    <message>
        <source>bulletin or company procedure</source>
        <translation>Mitteilung oder Verfahren der Firma</translation>
    </message>
    <message>
        <source>by {role}</source>
        <translation>von {role}</translation>
    </message>
    <message>
        <source>cannot be read: {error}</source>
        <translation>nicht lesbar: {error}</translation>
    </message>
    <message>
        <source>chat_template.jinja is missing</source>
        <translation>chat_template.jinja fehlt</translation>
    </message>
    <message>
        <source>checking every byte</source>
        <translation>jedes Byte wird geprüft</translation>
    </message>
    <message>
        <source> (and {n} more)</source>
        <translation> (und {n} weitere)</translation>
    </message>
    <message>
        <source> ({number} of {n})</source>
        <translation> ({number} von {n})</translation>
    </message>
    <message>
        <source>A field</source>
        <translation>Ein Feld</translation>
    </message>
    <message>
        <source>A tag</source>
        <translation>Ein Schlagwort</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Add the sample manuals</source>
        <translation>Beispielhandbücher hinzufügen</translation>
    </message>
    <message>
        <source>Add: {text}</source>
        <translation>Ergänzen: {text}</translation>
    </message>
    <message>
        <source>Added last</source>
        <translation>Zuletzt hinzugefügt</translation>
    </message>
    <message>
        <source>All conversations</source>
        <translation>Alle Unterhaltungen</translation>
    </message>
    <message>
        <source>Ask a question</source>
        <translation>Eine Frage stellen</translation>
    </message>
    <message>
        <source>Go back to all manuals</source>
        <translation>Wieder alle Handbücher befragen</translation>
    </message>
    <message>
        <source>Ask questions from a file…</source>
        <translation>Fragen aus einer Datei stellen …</translation>
    </message>
    <message>
        <source>Check it</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Review before saving</source>
        <translation>Vor dem Speichern prüfen</translation>
    </message>
    <message>
        <source>Check them</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Drop PDF, Word, PowerPoint, Excel or EPUB files, web pages, Markdown, text, pictures of pages, or folders of documents.</source>
        <translation>Legen Sie PDF, Word, PowerPoint, Excel, EPUB, Webseiten, Markdown, Text, Bilder von Seiten oder Ordner mit Dokumenten hier ab.</translation>
    </message>
    <message>
        <source>Drop manuals here</source>
        <translation>Handbücher hier ablegen</translation>
    </message>
    <message>
        <source>Every answer shows the page it comes from, with the words marked.</source>
        <translation>Jede Antwort zeigt die Seite, von der sie stammt, mit markierten Wörtern.</translation>
    </message>
    <message>
        <source>Found by comparing what both manuals say, passage by passage. Go by the manual: check it before you work on the equipment.</source>
        <translation>Gefunden durch den Vergleich beider Handbücher, Stelle für Stelle. Es gilt das Handbuch: Prüfen Sie es, bevor Sie an der Anlage arbeiten.</translation>
    </message>
    <message>
        <source>Found {num_objects} pages in {documents} manuals for &apos;{query}&apos;. Best: page {page}. All: {page_numbers}. {left_out}</source>
        <translation>{num_objects} Seiten in {documents} Handbüchern zu „{query}“ gefunden. Beste: Seite {page}. Alle: {page_numbers}. {left_out}</translation>
    </message>
    <message>
        <source>Found {pages} in {manuals}.</source>
        <translation>{pages} in {manuals} gefunden.</translation>
    </message>
    <message>
        <source>Gave up: reading stopped at {n} pages in a row.</source>
        <translation>Aufgegeben: Das Lesen brach bei {n} Seiten hintereinander ab.</translation>
    </message>
    <message>
        <source>Groundwork does not read this kind of file</source>
        <translation>Diese Art von Datei liest Groundwork nicht</translation>
    </message>
    <message>
        <source>Groundwork stopped {n} times while reading this file ({place}), so the file is skipped.</source>
        <translation>Groundwork wurde beim Lesen dieser Datei {n}-mal beendet ({place}); sie wird deshalb nicht mehr gelesen.</translation>
    </message>
    <message>
        <source>Groundwork takes PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), EPUB, web pages (.html), Markdown, plain text, pictures of pages (PNG, JPEG, TIFF), and folders with documents in them.</source>
        <translation>Groundwork nimmt PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), EPUB, Webseiten (.html), Markdown, reinen Text, Bilder von Seiten (PNG, JPEG, TIFF) und Ordner mit Dokumenten.</translation>
    </message>
    <message>
        <source>Suggested products: {n}, each with several manuals</source>
        <translation>Vorgeschlagene Produkte: {n}, je mit mehreren Handbüchern</translation>
    </message>
    <message>
        <source>Hold to speak the question (F4)</source>
        <translation>Gedrückt halten und die Frage sprechen (F4)</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>The file does not hold the manual named in the pack.</source>
        <translation>Die Datei enthält nicht das Handbuch, das das Paket nennt.</translation>
    </message>
    <message>
        <source>The pack expired on {day}: its manuals may be out of date. Ask for a newer release.</source>
        <translation>Das Paket ist am {day} abgelaufen: Seine Handbücher können veraltet sein. Fragen Sie nach einer neueren Version.</translation>
    </message>
    <message>
        <source>The file contains something that does not belong in a pack.</source>
        <translation>Die Datei enthält etwas, das nicht in ein Paket gehört.</translation>
    </message>
    <message>
        <source>The file is damaged or has been changed. Copy the pack again.</source>
        <translation>Die Datei ist beschädigt oder wurde verändert. Kopieren Sie das Paket neu.</translation>
    </message>
    <message>
        <source>Found by words only: {reason}</source>
        <translation>Wird nur über Wörter gefunden: {reason}</translation>
    </message>
    <message>
        <source>The file is not a note, or is from a newer Groundwork.</source>
        <translation>Die Datei ist keine Notiz, oder eine eines neueren Groundwork.</translation>
    </message>
    <message>
        <source>Groundwork cannot read this file of the pack.</source>
        <translation>Groundwork kann diese Datei des Pakets nicht lesen.</translation>
    </message>
    <message>
        <source>The signature is missing. Ask for a signed copy.</source>
        <translation>Die Signatur fehlt. Bitten Sie um eine signierte Kopie.</translation>
    </message>
    <message>
        <source>The file is missing. Copy the pack again.</source>
        <translation>Die Datei fehlt. Kopieren Sie das Paket neu.</translation>
    </message>
    <message>
        <source>The note is signed by someone other than its author.</source>
        <translation>Unterschrieben hat jemand anderes als der Verfasser der Notiz.</translation>
    </message>
    <message>
        <source>Signed with the key {key}, which this computer does not trust. If that is your company&apos;s key, trust its .pub file first.</source>
        <translation>Signiert mit dem Schlüssel {key}, dem dieser Computer nicht vertraut. Wenn das der Schlüssel Ihrer Firma ist, vertrauen Sie zuerst seiner .pub-Datei.</translation>
    </message>
    <message>
        <source>The file is too large for a note.</source>
        <translation>Die Datei ist zu groß für eine Notiz.</translation>
    </message>
    <message>
        <source>The note {piece_id} that this links to is not there yet.</source>
        <translation>Die Notiz {piece_id}, auf die dies verweist, gibt es noch nicht.</translation>
    </message>
    <message>
        <source>The nameplate may belong to one of these. Which one?</source>
        <translation>Das Typenschild kann zu einem von diesen gehören. Zu welchem?</translation>
    </message>
    <message>
        <source>Location: {place}.</source>
        <translation>Ort: {place}.</translation>
    </message>
    <message>
        <source>Changed after {name} signed it, or incomplete. Copy everything again from where it came; if that does not help, do not use it.</source>
        <translation>Verändert, nachdem {name} signiert hat, oder unvollständig. Kopieren Sie alles neu von dort, woher es kam; wenn das nicht hilft, verwenden Sie es nicht.</translation>
    </message>
    <message>
        <source>PDF: {fault}</source>
        <translation>PDF: {fault}</translation>
    </message>
    <message>
        <source>Its pictures will be searched later: {reason}</source>
        <translation>Seine Bilder werden später durchsucht: {reason}</translation>
    </message>
    <message>
        <source>The signature is damaged. Copy everything again from where it came.</source>
        <translation>Die Signatur ist beschädigt. Kopieren Sie alles neu von dort, woher es kam.</translation>
    </message>
    <message>
        <source>Listening… Let go when you have asked. Esc discards it.</source>
        <translation>Hört zu … Lassen Sie los, wenn Sie gefragt haben. Esc verwirft die Aufnahme.</translation>
    </message>
    <message>
        <source>Longest wait for notes</source>
        <translation>Längstes Warten auf Notizen</translation>
    </message>
    <message>
        <source>Looking at the picture</source>
        <translation>Das Bild wird angesehen</translation>
    </message>
    <message>
        <source>Manuals ({kinds})</source>
        <translation>Handbücher ({kinds})</translation>
    </message>
    <message>
        <source>Manuals that your company has read and signed for many computers. They are searched like your own; your notes and highlights in them are yours.</source>
        <translation>Handbücher, die Ihre Firma für viele Computer gelesen und signiert hat. Sie werden wie Ihre eigenen durchsucht; Ihre Notizen und Markierungen darin gehören Ihnen.</translation>
    </message>
    <message>
        <source>Matches “{titles}”, because {why}.</source>
        <translation>Passt zu „{titles}“, denn {why}.</translation>
    </message>
    <message>
        <source>Missing. {says}</source>
        <translation>Es fehlt etwas. {says}</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Verschoben</translation>
    </message>
    <message>
        <source>No manual names this model. Is it one of these, with the same name?</source>
        <translation>Kein Handbuch nennt dieses Modell. Ist es eines von diesen, desselben Namens?</translation>
    </message>
    <message>
        <source>No manual in the pack matches what was asked for.</source>
        <translation>Kein Handbuch des Pakets passt zu dem, was verlangt wurde.</translation>
    </message>
    <message>
        <source>No manual in this library matches the nameplate. Add the manual for this machine, or choose one yourself.</source>
        <translation>Kein Handbuch dieser Bibliothek passt zum Typenschild. Fügen Sie das Handbuch dieser Maschine hinzu, oder wählen Sie selbst eines.</translation>
    </message>
    <message>
        <source>No microphone is available. Connect one, and allow Groundwork to use it in the system&apos;s privacy settings.</source>
        <translation>Kein Mikrofon ist benutzbar. Schließen Sie eines an, und erlauben Sie es Groundwork in den Datenschutz-Einstellungen des Systems.</translation>
    </message>
    <message>
        <source>No pack is attached.</source>
        <translation>Kein Paket ist eingebunden.</translation>
    </message>
    <message>
        <source>No pack is called {name}.</source>
        <translation>Kein Paket heißt {name}.</translation>
    </message>
    <message>
        <source>No pages could be made from it: {reason}.</source>
        <translation>Daraus ließen sich keine Seiten machen: {reason}.</translation>
    </message>
    <message>
        <source>None of these</source>
        <translation>Keines davon</translation>
    </message>
    <message>
        <source>Nothing could be read in the picture.</source>
        <translation>Auf dem Bild war nichts zu lesen.</translation>
    </message>
    <message>
        <source>Only the layout has changed.</source>
        <translation>Nichts hat sich geändert, nur der Satz.</translation>
    </message>
    <message>
        <source>There was nothing to do.</source>
        <translation>Es war nichts zu tun.</translation>
    </message>
    <message>
        <source>Nothing was understood. Speak closer to the microphone.</source>
        <translation>Nichts verstanden. Sprechen Sie näher am Mikrofon.</translation>
    </message>
    <message>
        <source>Now: {manual}</source>
        <translation>Jetzt: {manual}</translation>
    </message>
    <message>
        <source>One change</source>
        <translation>Eine Änderung</translation>
    </message>
    <message>
        <source>One page is still unread and was not compared.</source>
        <translation>Eine Seite ist noch nicht gelesen und wurde nicht verglichen.</translation>
    </message>
    <message>
        <source>One statement from the site was not compared: time ran out.</source>
        <translation>Eine Aussage des Standorts wurde nicht verglichen: Die Zeit war um.</translation>
    </message>
    <message>
        <source>Only manuals with these words</source>
        <translation>Nur Handbücher mit diesen Wörtern</translation>
    </message>
    <message>
        <source>Or answer from the text that was found.</source>
        <translation>Oder antworten Sie aus dem gefundenen Text.</translation>
    </message>
    <message>
        <source>Or search the text instead.</source>
        <translation>Oder stattdessen den Text durchsuchen.</translation>
    </message>
    <message>
        <source>Other text</source>
        <translation>Sonstiger Text</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>PDF ({kinds})</source>
        <translation>PDF ({kinds})</translation>
    </message>
    <message>
        <source>PDF, Word, PowerPoint, Excel, EPUB, web pages, text, pictures of pages, or whole folders. Click to choose. They stay on this computer.</source>
        <translation>PDF, Word, PowerPoint, Excel, EPUB, Webseiten, Text, Bilder von Seiten oder ganze Ordner. Zum Auswählen klicken. Sie bleiben auf diesem Computer.</translation>
    </message>
    <message>
        <source>Pictures {done} of {total}</source>
        <translation>Bilder {done} von {total}</translation>
    </message>
    <message>
        <source>Read {n} sources</source>
        <translation>{n} Quellen gelesen</translation>
    </message>
    <message>
        <source>Reading page {done} of {total}</source>
        <translation>Seite {done} von {total} wird gelesen</translation>
    </message>
    <message>
        <source>Reading {title}</source>
        <translation>{title} wird gelesen</translation>
    </message>
    <message>
        <source>Reading.</source>
        <translation>Die Quellen werden gelesen.</translation>
    </message>
    <message>
        <source>Stated in the manual</source>
        <translation>Steht im Handbuch</translation>
    </message>
    <message>
        <source>The content</source>
        <translation>Der Inhalt</translation>
    </message>
    <message>
        <source>The decision was not valid: {fault}.</source>
        <translation>Die Entscheidung war nicht gültig: {fault}.</translation>
    </message>
    <message>
        <source>The entry&apos;s id</source>
        <translation>Die Kennung des Eintrags</translation>
    </message>
    <message>
        <source>The entry&apos;s type</source>
        <translation>Die Art des Eintrags</translation>
    </message>
    <message>
        <source>The id of an entry</source>
        <translation>Die Kennung eines Eintrags</translation>
    </message>
    <message>
        <source>“Used as” (info_type)</source>
        <translation>„Verwendet als“ (info_type)</translation>
    </message>
    <message>
        <source>The entry</source>
        <translation>Der Eintrag</translation>
    </message>
    <message>
        <source>The entry&apos;s label</source>
        <translation>Die Beschriftung des Eintrags</translation>
    </message>
    <message>
        <source>The site notes took too long to read; what was not read is left out.</source>
        <translation>Die Notizen des Standorts zu lesen hat zu lange gedauert; was nicht gelesen wurde, fehlt.</translation>
    </message>
    <message>
        <source>The page has no area</source>
        <translation>Die Seite hat keine Fläche</translation>
    </message>
    <message>
        <source>This page was left out while reading.</source>
        <translation>Diese Seite wurde beim Lesen ausgelassen.</translation>
    </message>
    <message>
        <source>The note&apos;s id</source>
        <translation>Die Kennung der Notiz</translation>
    </message>
    <message>
        <source>The profile</source>
        <translation>Das Profil</translation>
    </message>
    <message>
        <source>The quoted text of a page</source>
        <translation>Der zitierte Text einer Seite</translation>
    </message>
    <message>
        <source>The relation</source>
        <translation>Die Beziehung</translation>
    </message>
    <message>
        <source>The relation&apos;s type</source>
        <translation>Die Art der Beziehung</translation>
    </message>
    <message>
        <source>The reply was not valid: {fault}.</source>
        <translation>Die Antwort war nicht gültig: {fault}.</translation>
    </message>
    <message>
        <source>The section {name} is not known here.</source>
        <translation>Der Abschnitt {name} ist hier nicht bekannt.</translation>
    </message>
    <message>
        <source>The text was not structured after {n} attempts: {reason}</source>
        <translation>Der Text wurde nicht gegliedert, Versuche: {n}. {reason}</translation>
    </message>
    <message>
        <source>There is no PDF in these folders. The pack stays as it is.</source>
        <translation>In diesen Ordnern ist kein PDF. Das Paket bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>There is no answer to read yet.</source>
        <translation>Es gibt noch keine Antwort zum Vorlesen.</translation>
    </message>
    <message>
        <source>There is no document in this folder.</source>
        <translation>In diesem Ordner ist kein Dokument.</translation>
    </message>
    <message>
        <source>There is no key {key} in the folder.</source>
        <translation>Im Ordner ist kein Schlüssel {key}.</translation>
    </message>
    <message>
        <source>There is no model that understands speech. Install one on the Models page, from the network or a USB stick.</source>
        <translation>Es gibt kein Modell, das Gesprochenes versteht. Installieren Sie eines auf der Seite Modelle, aus dem Netz oder von einem USB-Stick.</translation>
    </message>
    <message>
        <source>There is no other revision of this manual. Select two manuals.</source>
        <translation>Es gibt keine andere Revision dieses Handbuchs. Wählen Sie zwei Handbücher.</translation>
    </message>
    <message>
        <source>There is no pack of manuals in {folder}.</source>
        <translation>In {folder} ist kein Paket mit Handbüchern.</translation>
    </message>
    <message>
        <source>There is no vision model, so only the words in the picture were read. Install one on the Models page to ask about a picture.</source>
        <translation>Es gibt kein Bildmodell, darum wurden nur die Wörter des Bildes gelesen. Die Seite Modelle installiert eines; dann kann nach einem Bild gefragt werden.</translation>
    </message>
    <message>
        <source>This is not a readable picture</source>
        <translation>Das ist kein Bild, das gelesen werden kann</translation>
    </message>
    <message>
        <source>This key or signature is not used</source>
        <translation>Dieser Schlüssel oder diese Signatur wird nicht verwendet</translation>
    </message>
    <message>
        <source>This kind of file is not accepted.</source>
        <translation>Diese Art von Datei wird nicht genommen.</translation>
    </message>
    <message>
        <source>This pack of manuals is not used</source>
        <translation>Dieses Paket mit Handbüchern wird nicht verwendet</translation>
    </message>
    <message>
        <source>This page could not be drawn.</source>
        <translation>Diese Seite konnte nicht gezeichnet werden.</translation>
    </message>
    <message>
        <source>This system has no voice. Install espeak-ng or speech-dispatcher and try again.</source>
        <translation>Dieses System hat keine Stimme. Installieren Sie espeak-ng oder speech-dispatcher und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Trust the key in this file</source>
        <translation>Dem Schlüssel in dieser Datei vertrauen</translation>
    </message>
    <message>
        <source>Try again, or photograph only the plate, so that it fills the picture.</source>
        <translation>Versuchen Sie es noch einmal, oder fotografieren Sie nur das Schild, sodass es das Bild füllt.</translation>
    </message>
    <message>
        <source>Two people changed a note separately. Both texts are kept.</source>
        <translation>Zwei Personen haben eine Notiz getrennt geändert. Beide Texte sind aufgehoben.</translation>
    </message>
    <message>
        <source>Two people changed a note separately: {field}</source>
        <translation>Zwei Personen haben eine Notiz getrennt geändert: {field}</translation>
    </message>
    <message>
        <source>Understanding…</source>
        <translation>Wird verstanden …</translation>
    </message>
    <message>
        <source>Understands spoken questions</source>
        <translation>Versteht gesprochene Fragen</translation>
    </message>
    <message>
        <source>Undo removing a manual</source>
        <translation>Entfernen eines Handbuchs rückgängig machen</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Used last</source>
        <translation>Zuletzt verwendet</translation>
    </message>
    <message>
        <source>VLM analyzed {num_objects} pages. Summary: {summary}</source>
        <translation>Seitenbilder angesehen ({num_objects}): {summary}</translation>
    </message>
    <message>
        <source>VLM analyzed {num_objects} pages. Summary: {summary} Not all pages: {failed}</source>
        <translation>Seitenbilder angesehen ({num_objects}): {summary} Nicht alle Seiten: {failed}</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Verify the files</source>
        <translation>Dateien prüfen</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Watched folders…</source>
        <translation>Beobachtete Ordner …</translation>
    </message>
    <message>
        <source>Web pages and text ({kinds})</source>
        <translation>Webseiten und Text ({kinds})</translation>
    </message>
    <message>
        <source>What Groundwork knows…</source>
        <translation>Was Groundwork weiß …</translation>
    </message>
    <message>
        <source>What answers should know about the person asking, such as their trade.</source>
        <translation>Was Antworten über die fragende Person wissen sollen, zum Beispiel den Beruf.</translation>
    </message>
    <message>
        <source>What answers should know about where the equipment is.</source>
        <translation>Was Antworten darüber wissen sollen, wo die Anlage steht.</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was sich geändert hat</translation>
    </message>
    <message>
        <source>What changed in {title}</source>
        <translation>Was sich in {title} geändert hat</translation>
    </message>
    <message>
        <source>What changed: {title}</source>
        <translation>Was sich geändert hat: {title}</translation>
    </message>
    <message>
        <source>What is this part?</source>
        <translation>Was ist das für ein Teil?</translation>
    </message>
    <message>
        <source>Anything notes and other knowledge cannot supply within this many seconds is left out, and the answer says so.</source>
        <translation>Was Notizen und anderes Wissen einer Frage nicht innerhalb so vieler Sekunden sagen, fehlt, und die Antwort sagt das.</translation>
    </message>
    <message>
        <source>Which models work together. “Automatic” takes the largest profile that fits this computer and whose models are installed.</source>
        <translation>Welche Modelle zusammenarbeiten. „Automatisch“ nimmt das größte Profil, das auf diesen Computer passt und dessen Modelle installiert sind.</translation>
    </message>
    <message>
        <source>Without the model</source>
        <translation>Ohne das Modell</translation>
    </message>
    <message>
        <source>Word, PowerPoint, Excel, EPUB ({kinds})</source>
        <translation>Word, PowerPoint, Excel, EPUB ({kinds})</translation>
    </message>
    <message>
        <source>Writes down spoken questions, in German, English and many other languages.</source>
        <translation>Schreibt gesprochene Fragen auf, auf Deutsch, Englisch und in vielen anderen Sprachen.</translation>
    </message>
    <message>
        <source>Writes down spoken questions; better in noise than the small model.</source>
        <translation>Schreibt gesprochene Fragen auf; im Lärm sicherer als das kleine Modell.</translation>
    </message>
    <message>
        <source>Wrote the answer</source>
        <translation>Antwort geschrieben</translation>
    </message>
    <message>
        <source>Wrote the report</source>
        <translation>Bericht geschrieben</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>a note about the asset has “{text}”</source>
        <translation>eine Notiz zur Anlage hat „{text}“</translation>
    </message>
    <message>
        <source>a page without text, and no OCR: {error}</source>
        <translation>eine Seite ohne Text, und keine Texterkennung: {error}</translation>
    </message>
    <message>
        <source>a single value</source>
        <translation>ein einzelner Wert</translation>
    </message>
    <message>
        <source>a vision model read it from a photo; no manual says so</source>
        <translation>ein Bildmodell hat es von einem Foto gelesen; kein Handbuch sagt es</translation>
    </message>
    <message>
        <source>added</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>another file already describes {name}.</source>
        <translation>eine andere Datei beschreibt {name} bereits.</translation>
    </message>
    <message>
        <source>another model has read them</source>
        <translation>ein anderes Modell hat sie gelesen</translation>
    </message>
    <message>
        <source>converted to PDF; original attached</source>
        <translation>in PDF umgewandelt; Original angehängt</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>checked</source>
        <translation>geprüft</translation>
    </message>
    <message>
        <source>confidence: {word}</source>
        <translation>Sicherheit: {word}</translation>
    </message>
    <message>
        <source>config.json describes no model of this kind: {error}</source>
        <translation>config.json beschreibt kein Modell dieser Art: {error}</translation>
    </message>
    <message>
        <source>config.json is missing from {name}</source>
        <translation>config.json fehlt in {name}</translation>
    </message>
    <message>
        <source>config.json of {name} is incomplete: {error}</source>
        <translation>config.json von {name} ist unvollständig: {error}</translation>
    </message>
    <message>
        <source>config.json of {name} makes no sense: {error}</source>
        <translation>config.json von {name} ist widersprüchlich: {error}</translation>
    </message>
    <message>
        <source>config.json of {name} names no model_type</source>
        <translation>config.json von {name} nennt keinen model_type</translation>
    </message>
    <message>
        <source>config.json of {name}: the heads do not divide its size evenly</source>
        <translation>config.json von {name}: Die Köpfe teilen seine Größe nicht gleichmäßig</translation>
    </message>
    <message>
        <source>contains a NUL character</source>
        <translation>enthält ein NUL-Zeichen</translation>
    </message>
    <message>
        <source>contains half a character (a lone surrogate)</source>
        <translation>enthält ein halbes Zeichen (ein einzelnes Surrogat)</translation>
    </message>
    <message>
        <source>copying</source>
        <translation>wird kopiert</translation>
    </message>
    <message>
        <source>corrected: {text}</source>
        <translation>korrigiert: {text}</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>critic</source>
        <translation>Kritiker</translation>
    </message>
    <message>
        <source>damaged, or not what its name says: {error}</source>
        <translation>beschädigt oder nicht das, was ihr Name sagt: {error}</translation>
    </message>
    <message>
        <source>deleted by one, changed by the other</source>
        <translation>von der einen gelöscht, von der anderen geändert</translation>
    </message>
    <message>
        <source>done: {what}</source>
        <translation>fertig: {what}</translation>
    </message>
    <message>
        <source>discovery</source>
        <translation>Erkundung</translation>
    </message>
    <message>
        <source>document</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>downloading</source>
        <translation>wird heruntergeladen</translation>
    </message>
    <message>
        <source>draft an e-mail</source>
        <translation>E-Mail-Entwurf</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>ended early: what was found so far</source>
        <translation>vorzeitig beendet: was bis dahin gefunden wurde</translation>
    </message>
    <message>
        <source>entity_id is not the key that the item is listed under.</source>
        <translation>entity_id ist nicht der Schlüssel, unter dem der Eintrag steht.</translation>
    </message>
    <message>
        <source>even the best passage is not close in meaning</source>
        <translation>selbst der Sinn der besten Stelle ist nicht nah</translation>
    </message>
    <message>
        <source>the pages found have every word of the question</source>
        <translation>die gefundenen Seiten haben jedes Wort der Frage</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>file: {name}</source>
        <translation>Datei: {name}</translation>
    </message>
    <message>
        <source>fits this computer</source>
        <translation>passt auf diesen Computer</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>zugeklappt</translation>
    </message>
    <message>
        <source>found by {found_by}</source>
        <translation>gefunden durch: {found_by}</translation>
    </message>
    <message>
        <source>gpt-oss 120B with long conversations, on a Mac with 256 GB.</source>
        <translation>gpt-oss 120B mit langen Unterhaltungen, auf einem Mac mit 256 GB.</translation>
    </message>
    <message>
        <source>gpt-oss 20B thinks before it answers; everything stays loaded.</source>
        <translation>gpt-oss 20B denkt nach, bevor es antwortet; alles bleibt geladen.</translation>
    </message>
    <message>
        <source>graph.{name} is not a list.</source>
        <translation>graph.{name} ist keine Liste.</translation>
    </message>
    <message>
        <source>has characters that no file name may have</source>
        <translation>hat Zeichen, die kein Dateiname haben darf</translation>
    </message>
    <message>
        <source>heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>trust level</source>
        <translation>Vertrauensstufe</translation>
    </message>
    <message>
        <source>in another order</source>
        <translation>in anderer Reihenfolge</translation>
    </message>
    <message>
        <source>in part</source>
        <translation>teilweise</translation>
    </message>
    <message>
        <source>is empty or too long</source>
        <translation>ist leer oder zu lang</translation>
    </message>
    <message>
        <source>is not a plain name inside the model&apos;s folder</source>
        <translation>ist kein einfacher Name im Ordner des Modells</translation>
    </message>
    <message>
        <source>is too long</source>
        <translation>ist zu lang</translation>
    </message>
    <message>
        <source>it cannot be read ({strerror}).</source>
        <translation>sie kann nicht gelesen werden ({strerror}).</translation>
    </message>
    <message>
        <source>it cannot be read: {name}</source>
        <translation>sie kann nicht gelesen werden: {name}</translation>
    </message>
    <message>
        <source>covers every part of the question</source>
        <translation>deckt jeden Teil der Frage ab</translation>
    </message>
    <message>
        <source>it contains no settings</source>
        <translation>sie enthält keine Einstellungen</translation>
    </message>
    <message>
        <source>does not only introduce what follows</source>
        <translation>kündigt nicht nur an, was folgt</translation>
    </message>
    <message>
        <source>ends with a colon: only introduces what follows</source>
        <translation>endet mit einem Doppelpunkt: kündigt nur an, was folgt</translation>
    </message>
    <message>
        <source>it has more than {most_pages} pages</source>
        <translation>sie hat mehr als {most_pages} Seiten</translation>
    </message>
    <message>
        <source>it has no sheets</source>
        <translation>sie hat keine Tabellenblätter</translation>
    </message>
    <message>
        <source>it has too many pixels</source>
        <translation>sie hat zu viele Bildpunkte</translation>
    </message>
    <message>
        <source>is itself a question</source>
        <translation>ist selbst eine Frage</translation>
    </message>
    <message>
        <source>it is damaged ({error})</source>
        <translation>sie ist beschädigt ({error})</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>sie ist leer</translation>
    </message>
    <message>
        <source>it is larger than a description can be.</source>
        <translation>sie ist größer, als eine Beschreibung sein kann.</translation>
    </message>
    <message>
        <source>it is larger than {largest_file} MB</source>
        <translation>sie ist größer als {largest_file} MB</translation>
    </message>
    <message>
        <source>it is locked with a password</source>
        <translation>sie ist mit einem Passwort gesperrt</translation>
    </message>
    <message>
        <source>it is locked with a password, or from a version before 2007: save it without a password in the current format</source>
        <translation>sie ist mit einem Passwort gesperrt oder von einer Version vor 2007: Speichern Sie sie ohne Passwort im heutigen Format</translation>
    </message>
    <message>
        <source>longer than most</source>
        <translation>länger als die meisten</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>zu tief verschachtelt</translation>
    </message>
    <message>
        <source>is not a question</source>
        <translation>ist keine Frage</translation>
    </message>
    <message>
        <source>it is not text</source>
        <translation>sie ist kein Text</translation>
    </message>
    <message>
        <source>it is not UTF-8 text.</source>
        <translation>sie ist kein Text in UTF-8.</translation>
    </message>
    <message>
        <source>it is not valid TOML: {error}.</source>
        <translation>sie ist kein gültiges TOML: {error}.</translation>
    </message>
    <message>
        <source>shorter than most</source>
        <translation>kürzer als die meisten</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>sie ist zu groß</translation>
    </message>
    <message>
        <source>is {kind}</source>
        <translation>ist {kind}</translation>
    </message>
    <message>
        <source>lacks the code {codes_lacking}</source>
        <translation>die Kennung {codes_lacking} fehlt</translation>
    </message>
    <message>
        <source>the model needs {value}</source>
        <translation>das Modell braucht {value}</translation>
    </message>
    <message>
        <source>says little beyond the question</source>
        <translation>sagt kaum mehr als die Frage</translation>
    </message>
    <message>
        <source>says much beyond the question</source>
        <translation>sagt vieles, was nicht in der Frage steht</translation>
    </message>
    <message>
        <source>has fewer words of the question than others</source>
        <translation>hat weniger Wörter der Frage als andere</translation>
    </message>
    <message>
        <source>has the code {codes}</source>
        <translation>hat die Kennung {codes}</translation>
    </message>
    <message>
        <source>has the words {words}</source>
        <translation>hat die Wörter {words}</translation>
    </message>
    <message>
        <source>near the top of the page</source>
        <translation>weit oben auf der Seite</translation>
    </message>
    <message>
        <source>near the foot of the page</source>
        <translation>weit unten auf der Seite</translation>
    </message>
    <message>
        <source>has a number</source>
        <translation>nennt eine Zahl</translation>
    </message>
    <message>
        <source>has no number</source>
        <translation>nennt keine Zahl</translation>
    </message>
    <message>
        <source>it is from a newer version of Groundwork ({error})</source>
        <translation>sie wurde von einem neueren Groundwork geschrieben ({error})</translation>
    </message>
    <message>
        <source>round</source>
        <translation>Runde</translation>
    </message>
    <message>
        <source>heading “{heading}” matches</source>
        <translation>Überschrift „{heading}“ passt</translation>
    </message>
    <message>
        <source>heading “{heading}” matches less than others</source>
        <translation>Überschrift „{heading}“ passt weniger als andere</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>closer in meaning than most</source>
        <translation>der Sinn ist näher als bei den meisten</translation>
    </message>
    <message>
        <source>further in meaning than most</source>
        <translation>der Sinn ist ferner als bei den meisten</translation>
    </message>
    <message>
        <source>linked pages</source>
        <translation>verknüpfte Seiten</translation>
    </message>
    <message>
        <source>its pages cannot be counted: {error}</source>
        <translation>ihre Seiten lassen sich nicht zählen: {error}</translation>
    </message>
    <message>
        <source>tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>judged unanswerable: {impossible}</source>
        <translation>als nicht beantwortbar beurteilt: {impossible}</translation>
    </message>
    <message>
        <source>knowledge cannot be written: {error}</source>
        <translation>das Wissen kann nicht geschrieben werden: {error}</translation>
    </message>
    <message>
        <source>less sure: read by OCR</source>
        <translation>weniger sicher: mit OCR gelesen</translation>
    </message>
    <message>
        <source>licence unknown</source>
        <translation>Lizenz unbekannt</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>höchstens</translation>
    </message>
    <message>
        <source>list all steps</source>
        <translation>alle Schritte</translation>
    </message>
    <message>
        <source>looked up the name {target}</source>
        <translation>hat den Namen {target} nachgeschlagen</translation>
    </message>
    <message>
        <source>looking at its files</source>
        <translation>Dateien werden angesehen</translation>
    </message>
    <message>
        <source>low</source>
        <translation>niedrig</translation>
    </message>
    <message>
        <source>maker&apos;s manual or standard</source>
        <translation>Handbuch des Herstellers oder Norm</translation>
    </message>
    <message>
        <source>manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>longest summary, in tokens</source>
        <translation>längste Zusammenfassung in Token</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>mittel</translation>
    </message>
    <message>
        <source>merging its adapter</source>
        <translation>Adapter wird eingerechnet</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>mlx-lm, which runs this model, is not installed</source>
        <translation>mlx-lm, das dieses Modell ausführt, ist nicht installiert</translation>
    </message>
    <message>
        <source>mlx-vlm, which runs this model, is not installed</source>
        <translation>mlx-vlm, das dieses Modell ausführt, ist nicht installiert</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>models of the kind &apos;{kind}&apos; cannot read pictures here</source>
        <translation>Modelle der Art „{kind}“ können hier keine Bilder lesen</translation>
    </message>
    <message>
        <source>monitor</source>
        <translation>Überwachung</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>verschoben</translation>
    </message>
    <message>
        <source>needs its password</source>
        <translation>braucht sein Passwort</translation>
    </message>
    <message>
        <source>neither the adapter nor its base has {projection}: not a ColQwen model</source>
        <translation>weder der Adapter noch sein Basismodell hat {projection}: kein ColQwen-Modell</translation>
    </message>
    <message>
        <source>no OCR: {error}</source>
        <translation>keine Texterkennung: {error}</translation>
    </message>
    <message>
        <source>no backup in {folder} is sound</source>
        <translation>keine Sicherung in {folder} ist unversehrt</translation>
    </message>
    <message>
        <source>no manual here</source>
        <translation>hier kein Handbuch</translation>
    </message>
    <message>
        <source>no manual mentions {unnamed}</source>
        <translation>kein Handbuch nennt {unnamed}</translation>
    </message>
    <message>
        <source>no memory for {purpose}</source>
        <translation>kein Arbeitsspeicher für {purpose}</translation>
    </message>
    <message>
        <source>no other passage covers any part better</source>
        <translation>keine andere Stelle deckt einen Teil besser ab</translation>
    </message>
    <message>
        <source>no page has anything on part of the question</source>
        <translation>keine Seite sagt etwas zu einem Teil der Frage</translation>
    </message>
    <message>
        <source>no page says enough about what is asked</source>
        <translation>keine Seite sagt genug über das Gefragte</translation>
    </message>
    <message>
        <source>no page found has the words {absent}</source>
        <translation>keine gefundene Seite hat die Wörter {absent}</translation>
    </message>
    <message>
        <source>no passage stands out</source>
        <translation>keine Stelle hebt sich ab</translation>
    </message>
    <message>
        <source>no question</source>
        <translation>keine Frage</translation>
    </message>
    <message>
        <source>no room for a backup of {size} MB in {backups}</source>
        <translation>kein Platz für eine Sicherung von {size} MB in {backups}</translation>
    </message>
    <message>
        <source>no site</source>
        <translation>kein Standort</translation>
    </message>
    <message>
        <source>no space left on the disk that holds {folder}</source>
        <translation>kein Platz mehr auf dem Datenträger mit {folder}</translation>
    </message>
    <message>
        <source>no space left on the disk that holds {path}</source>
        <translation>kein Platz mehr auf dem Datenträger mit {path}</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>not an ordinary file</source>
        <translation>keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>not confirmed</source>
        <translation>nicht bestätigt</translation>
    </message>
    <message>
        <source>not enough disk space: another {missing} MB is needed</source>
        <translation>zu wenig Speicherplatz: {missing} MB mehr sind nötig</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>nicht genug Arbeitsspeicher</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>not reachable at the moment</source>
        <translation>im Moment nicht erreichbar</translation>
    </message>
    <message>
        <source>not read in full</source>
        <translation>nicht ganz gelesen</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>noch nicht</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>none of the answer is on the pages</source>
        <translation>nichts von der Antwort steht auf den Seiten</translation>
    </message>
    <message>
        <source>Research in all sources: weak ones are flagged</source>
        <translation>Recherche in allen Quellen: schwache werden gekennzeichnet</translation>
    </message>
    <message>
        <source>Research in official sources: makers’ manuals, standards, procedures</source>
        <translation>Recherche in maßgeblichen Quellen: Herstellerhandbücher, Normen, Anweisungen</translation>
    </message>
    <message>
        <source>Research: all sources</source>
        <translation>Recherche: alle Quellen</translation>
    </message>
    <message>
        <source>Research: check of notes</source>
        <translation>Recherche: Notizen prüfen</translation>
    </message>
    <message>
        <source>Research: official sources</source>
        <translation>Recherche: maßgebliche Quellen</translation>
    </message>
    <message>
        <source>Show the whole warning</source>
        <translation>Die ganze Warnung zeigen</translation>
    </message>
    <message>
        <source>Still being read: {names}. Ask again when that is done.</source>
        <translation>Wird noch gelesen: {names}. Fragen Sie danach noch einmal.</translation>
    </message>
    <message>
        <source>The file lists no contents, and no headings were found.</source>
        <translation>Die Datei hat kein Verzeichnis, und es wurden keine Überschriften gefunden.</translation>
    </message>
    <message>
        <source>The file lists no contents: these are the headings on its pages.</source>
        <translation>Die Datei hat kein Verzeichnis: das sind die Überschriften auf ihren Seiten.</translation>
    </message>
    <message>
        <source>There is no sure answer yet.</source>
        <translation>Es gibt noch keine sichere Antwort.</translation>
    </message>
    <message>
        <source>The nearest lines:</source>
        <translation>Die nächstliegenden Stellen:</translation>
    </message>
    <message>
        <source>Step {which} of {n}:</source>
        <translation>Schritt {which} von {n}:</translation>
    </message>
    <message>
        <source>Steps {which} of {n}:</source>
        <translation>Schritte {which} von {n}:</translation>
    </message>
    <message>
        <source>The manual gives another value: compare the claim with it</source>
        <translation>Im Handbuch steht ein anderer Wert: Vergleichen Sie die Aussage damit</translation>
    </message>
    <message>
        <source>The manuals state it; the answer comes from what was found.</source>
        <translation>Die Handbücher sagen es; die Antwort stammt aus dem Gefundenen.</translation>
    </message>
    <message>
        <source>This note was changed elsewhere since it was opened.</source>
        <translation>Diese Notiz wurde an anderer Stelle geändert, seit sie geöffnet wurde.</translation>
    </message>
    <message>
        <source>The pages still missing have been read.</source>
        <translation>Die noch fehlenden Seiten sind nun gelesen.</translation>
    </message>
    <message>
        <source>nothing to correct</source>
        <translation>nichts zu berichtigen</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>only sources from: {when}</source>
        <translation>nur Quellen von: {when}</translation>
    </message>
    <message>
        <source>only {words}</source>
        <translation>nur {words}</translation>
    </message>
    <message>
        <source>options</source>
        <translation>Möglichkeiten</translation>
    </message>
    <message>
        <source>others cover part of the question better</source>
        <translation>andere decken einen Teil der Frage besser ab</translation>
    </message>
    <message>
        <source>others cover part of the question better than the best passage</source>
        <translation>andere decken einen Teil der Frage besser ab als die beste Stelle</translation>
    </message>
    <message>
        <source>p. {label}</source>
        <translation>S. {label}</translation>
    </message>
    <message>
        <source>p. {page}</source>
        <translation>S. {page}</translation>
    </message>
    <message>
        <source>pack {name}</source>
        <translation>Paket {name}</translation>
    </message>
    <message>
        <source>page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>page label</source>
        <translation>Seitenzahl</translation>
    </message>
    <message>
        <source>page words</source>
        <translation>Wörter der Seite</translation>
    </message>
    <message>
        <source>page {label}</source>
        <translation>Seite {label}</translation>
    </message>
    <message>
        <source>page {label} of {manual}</source>
        <translation>Seite {label} aus {manual}</translation>
    </message>
    <message>
        <source>page {old} → {new}</source>
        <translation>Seite {old} → {new}</translation>
    </message>
    <message>
        <source>page {page}</source>
        <translation>Seite {page}</translation>
    </message>
    <message>
        <source>page {page} cannot be drawn: {error}</source>
        <translation>Seite {page} kann nicht gezeichnet werden: {error}</translation>
    </message>
    <message>
        <source>page {where}</source>
        <translation>Seite {where}</translation>
    </message>
    <message>
        <source>passage words</source>
        <translation>Wörter der Textstelle</translation>
    </message>
    <message>
        <source>passage {n}</source>
        <translation>Textstelle {n}</translation>
    </message>
    <message>
        <source>pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>pinned to {manual}, page {page}</source>
        <translation>angeheftet an {manual}, Seite {page}</translation>
    </message>
    <message>
        <source>points outside the model&apos;s folder</source>
        <translation>zeigt aus dem Ordner des Modells hinaus</translation>
    </message>
    <message>
        <source>positions of type {kind} are not supported</source>
        <translation>Positionen der Art {kind} werden nicht unterstützt</translation>
    </message>
    <message>
        <source>pp. {first} to {last}</source>
        <translation>S. {first} bis {last}</translation>
    </message>
    <message>
        <source>preprocessor_config.json cannot be used: {error}</source>
        <translation>preprocessor_config.json ist nicht verwendbar: {error}</translation>
    </message>
    <message>
        <source>preprocessor_config.json is missing</source>
        <translation>preprocessor_config.json fehlt</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>geplant</translation>
    </message>
    <message>
        <source>searched for</source>
        <translation>gesucht</translation>
    </message>
    <message>
        <source>question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>questions are about this place</source>
        <translation>Fragen beziehen sich auf diesen Ort</translation>
    </message>
    <message>
        <source>quoted because {cause}; {reason}</source>
        <translation>zitiert, weil: {cause}; {reason}</translation>
    </message>
    <message>
        <source>read with the question, answers better than others</source>
        <translation>zusammen mit der Frage gelesen, beantwortet sie besser als andere</translation>
    </message>
    <message>
        <source>read with the question, answers less well than others</source>
        <translation>zusammen mit der Frage gelesen, beantwortet sie weniger gut als andere</translation>
    </message>
    <message>
        <source>reading was stopped</source>
        <translation>Lesen wurde angehalten</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>recipient</source>
        <translation>Empfänger</translation>
    </message>
    <message>
        <source>region on page {page} of {title}</source>
        <translation>Bereich auf Seite {page} von {title}</translation>
    </message>
    <message>
        <source>release {n}</source>
        <translation>Version {n}</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfallen</translation>
    </message>
    <message>
        <source>run `make setup`, or `pip install --no-deps {package}`</source>
        <translation>führen Sie `make setup` aus, oder `pip install --no-deps {package}`</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>searches {manuals}</source>
        <translation>durchsucht {manuals}</translation>
    </message>
    <message>
        <source>see {file}</source>
        <translation>siehe {file}</translation>
    </message>
    <message>
        <source>serial number {serial}</source>
        <translation>Seriennummer {serial}</translation>
    </message>
    <message>
        <source>show the figure</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>signed by {name}</source>
        <translation>signiert von {name}</translation>
    </message>
    <message>
        <source>since {date}</source>
        <translation>seit {date}</translation>
    </message>
    <message>
        <source>site note</source>
        <translation>Notiz des Standorts</translation>
    </message>
    <message>
        <source>site {name}</source>
        <translation>Standort {name}</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>Against an answer: {reason}</source>
        <translation>Gegen eine Antwort: {reason}</translation>
    </message>
    <message>
        <source>Against: {reason}</source>
        <translation>Dagegen: {reason}</translation>
    </message>
    <message>
        <source>For an answer: {reason}</source>
        <translation>Für eine Antwort: {reason}</translation>
    </message>
    <message>
        <source>For: {reason}</source>
        <translation>Dafür: {reason}</translation>
    </message>
    <message>
        <source>strict</source>
        <translation>streng</translation>
    </message>
    <message>
        <source>subject</source>
        <translation>Betreff</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>text models of this kind need mlx-vlm: {error}</source>
        <translation>Textmodelle dieser Art brauchen mlx-vlm: {error}</translation>
    </message>
    <message>
        <source>text recognition is not installed</source>
        <translation>die Texterkennung ist nicht installiert</translation>
    </message>
    <message>
        <source>text recognition is not installed: pip install rapidocr</source>
        <translation>die Texterkennung ist nicht installiert: pip install rapidocr</translation>
    </message>
    <message>
        <source>the JSON schema cannot be followed: {matcher}</source>
        <translation>das JSON-Schema kann nicht eingehalten werden: {matcher}</translation>
    </message>
    <message>
        <source>the JSON schema cannot be followed: {reason}</source>
        <translation>das JSON-Schema kann nicht eingehalten werden: {reason}</translation>
    </message>
    <message>
        <source>the PDF has no pages</source>
        <translation>die PDF-Datei hat keine Seiten</translation>
    </message>
    <message>
        <source>the PDF is encrypted</source>
        <translation>die PDF-Datei ist verschlüsselt</translation>
    </message>
    <message>
        <source>the PDF reader cannot be started: {error}</source>
        <translation>der PDF-Leser kann nicht gestartet werden: {error}</translation>
    </message>
    <message>
        <source>the PDF reader crashed</source>
        <translation>der PDF-Leser ist abgestürzt</translation>
    </message>
    <message>
        <source>the PDF reader does not start: {lost}</source>
        <translation>der PDF-Leser startet nicht: {lost}</translation>
    </message>
    <message>
        <source>the PDF reader gave no answer</source>
        <translation>der PDF-Leser hat nicht geantwortet</translation>
    </message>
    <message>
        <source>the PDF reader sent nonsense: {error}</source>
        <translation>der PDF-Leser hat Unsinn gesendet: {error}</translation>
    </message>
    <message>
        <source>the PDF reader stopped answering</source>
        <translation>der PDF-Leser antwortet nicht mehr</translation>
    </message>
    <message>
        <source>the asset is called “{text}”</source>
        <translation>die Anlage heißt „{text}“</translation>
    </message>
    <message>
        <source>the best passage covers every part of the question</source>
        <translation>die beste Stelle deckt jeden Teil der Frage ab</translation>
    </message>
    <message>
        <source>the best passage has few of the question&apos;s words</source>
        <translation>die beste Stelle hat wenige Wörter der Frage</translation>
    </message>
    <message>
        <source>the best passage has nothing on part of the question</source>
        <translation>die beste Stelle sagt nichts zu einem Teil der Frage</translation>
    </message>
    <message>
        <source>the best passage is close in meaning</source>
        <translation>der Sinn der besten Stelle ist nah</translation>
    </message>
    <message>
        <source>the best passage has every code of the question</source>
        <translation>die beste Stelle hat jede Kennung der Frage</translation>
    </message>
    <message>
        <source>the best passage lacks the code {codes_lacking}</source>
        <translation>der besten Stelle fehlt die Kennung {codes_lacking}</translation>
    </message>
    <message>
        <source>the best passage has the words {words}</source>
        <translation>die beste Stelle hat die Wörter {words}</translation>
    </message>
    <message>
        <source>the chat template has no place for a picture</source>
        <translation>die Chat-Vorlage hat keinen Platz für ein Bild</translation>
    </message>
    <message>
        <source>the copy cannot be written: {error}</source>
        <translation>die Kopie kann nicht geschrieben werden: {error}</translation>
    </message>
    <message>
        <source>the decision is not JSON</source>
        <translation>die Entscheidung ist kein JSON</translation>
    </message>
    <message>
        <source>the decision is not a JSON object</source>
        <translation>die Entscheidung ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>the decision ran out of tokens</source>
        <translation>für die Entscheidung reichten die Token nicht</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>die Datei</translation>
    </message>
    <message>
        <source>the file cannot be read: {strerror}</source>
        <translation>die Datei kann nicht gelesen werden: {strerror}</translation>
    </message>
    <message>
        <source>the files of {id} do not fit together: {error}</source>
        <translation>die Dateien von {id} passen nicht zusammen: {error}</translation>
    </message>
    <message>
        <source>the header of {path} is damaged</source>
        <translation>der Kopf von {path} ist beschädigt</translation>
    </message>
    <message>
        <source>the knowledge file cannot be opened: {error}</source>
        <translation>die Wissensdatei kann nicht geöffnet werden: {error}</translation>
    </message>
    <message>
        <source>the knowledge file cannot be read: {error}</source>
        <translation>die Wissensdatei kann nicht gelesen werden: {error}</translation>
    </message>
    <message>
        <source>the knowledge file is closed.</source>
        <translation>die Wissensdatei ist geschlossen.</translation>
    </message>
    <message>
        <source>the language model used a weak page</source>
        <translation>das Sprachmodell stützte sich auf eine schwache Seite</translation>
    </message>
    <message>
        <source>the language model failed</source>
        <translation>das Sprachmodell ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>the language model found no answer in {read}</source>
        <translation>das Sprachmodell fand keine Antwort (gelesen: {read})</translation>
    </message>
    <message>
        <source>the language model was not asked: {reason}</source>
        <translation>das Sprachmodell wurde nicht gefragt: {reason}</translation>
    </message>
    <message>
        <source>the language model&apos;s reading</source>
        <translation>wie das Sprachmodell es liest</translation>
    </message>
    <message>
        <source>the question is about the library itself</source>
        <translation>gefragt wurde nach der Bibliothek selbst</translation>
    </message>
    <message>
        <source>the machine ran out of memory while {model_id} was writing</source>
        <translation>während {model_id} schrieb, ging der Arbeitsspeicher aus</translation>
    </message>
    <message>
        <source>the manuals</source>
        <translation>den Handbüchern</translation>
    </message>
    <message>
        <source>the manuals and notes</source>
        <translation>den Handbüchern und Notizen</translation>
    </message>
    <message>
        <source>the manuals support nothing that the language model wrote</source>
        <translation>die Handbücher tragen nichts von dem, was das Sprachmodell geschrieben hat</translation>
    </message>
    <message>
        <source>the manuals support nothing that the language model wrote, and no quote is certain</source>
        <translation>die Handbücher tragen nichts von dem, was das Sprachmodell geschrieben hat, und kein Zitat ist sicher</translation>
    </message>
    <message>
        <source>the memory used by {id} was needed for a question</source>
        <translation>der Arbeitsspeicher von {id} wurde für eine Frage gebraucht</translation>
    </message>
    <message>
        <source>the memory was needed for a question</source>
        <translation>der Arbeitsspeicher wurde für eine Frage gebraucht</translation>
    </message>
    <message>
        <source>the name {path} {fault}</source>
        <translation>der Name {path} {fault}</translation>
    </message>
    <message>
        <source>the pack for {model_id}</source>
        <translation>das Paket von {model_id}</translation>
    </message>
    <message>
        <source>the page as it appears in the manual</source>
        <translation>die Seite, wie sie im Handbuch steht</translation>
    </message>
    <message>
        <source>the page is empty</source>
        <translation>die Seite ist leer</translation>
    </message>
    <message>
        <source>the page it is on</source>
        <translation>Seitenangabe</translation>
    </message>
    <message>
        <source>the pages and notes it is based on</source>
        <translation>die Seiten und Notizen, auf denen sie beruht</translation>
    </message>
    <message>
        <source>the pages cover every part of the question</source>
        <translation>die Seiten decken jeden Teil der Frage ab</translation>
    </message>
    <message>
        <source>the paragraphs around the best passage are close in meaning</source>
        <translation>der Sinn der Absätze um die beste Stelle ist nah</translation>
    </message>
    <message>
        <source>the paragraphs around the best passage are not close in meaning</source>
        <translation>der Sinn der Absätze um die beste Stelle ist nicht nah</translation>
    </message>
    <message>
        <source>its paragraphs are close in meaning</source>
        <translation>der Sinn der Absätze ist nah</translation>
    </message>
    <message>
        <source>its paragraphs are less close in meaning</source>
        <translation>der Sinn der Absätze ist weniger nah</translation>
    </message>
    <message>
        <source>the password is wrong</source>
        <translation>das Passwort ist falsch</translation>
    </message>
    <message>
        <source>the question is long</source>
        <translation>die Frage ist lang</translation>
    </message>
    <message>
        <source>the question is short</source>
        <translation>die Frage ist kurz</translation>
    </message>
    <message>
        <source>the region&apos;s own words, quoted; the drawing itself was not read</source>
        <translation>die Wörter des Bereichs selbst, zitiert; die Zeichnung wurde nicht gelesen</translation>
    </message>
    <message>
        <source>the repaired library is not sound: {problems}</source>
        <translation>die reparierte Bibliothek ist nicht unversehrt: {problems}</translation>
    </message>
    <message>
        <source>the shared folder cannot be found</source>
        <translation>der gemeinsame Ordner ist nicht da</translation>
    </message>
    <message>
        <source>the text model is not installed.</source>
        <translation>das Textmodell ist nicht installiert.</translation>
    </message>
    <message>
        <source>the text model is not installed: {how_to_install}</source>
        <translation>das Textmodell ist nicht installiert: {how_to_install}</translation>
    </message>
    <message>
        <source>the text model is a different version: {how_to_install}</source>
        <translation>das Textmodell ist von einer anderen Version: {how_to_install}</translation>
    </message>
    <message>
        <source>the text model {model_id} is not installed: {how_to_install}</source>
        <translation>das Textmodell {model_id} ist nicht installiert: {how_to_install}</translation>
    </message>
    <message>
        <source>the thread that owns the models was closed</source>
        <translation>der Thread mit den Modellen wurde geschlossen</translation>
    </message>
    <message>
        <source>the tokenizer of {id} cannot be read: {error}</source>
        <translation>der Tokenizer von {id} kann nicht gelesen werden: {error}</translation>
    </message>
    <message>
        <source>the tokenizer of {name} cannot be read</source>
        <translation>der Tokenizer von {name} kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>the weights are not what config.json describes: {error}</source>
        <translation>die Gewichte entsprechen nicht der config.json: {error}</translation>
    </message>
    <message>
        <source>the weights cannot be read: {error}</source>
        <translation>die Gewichte können nicht gelesen werden: {error}</translation>
    </message>
    <message>
        <source>the weights do not match their config.json: {error}</source>
        <translation>die Gewichte passen nicht zu ihrer config.json: {error}</translation>
    </message>
    <message>
        <source>the weights do not match their config.json: {missing}</source>
        <translation>die Gewichte passen nicht zu ihrer config.json: {missing}</translation>
    </message>
    <message>
        <source>the weights do not match their config.json: {wrong}</source>
        <translation>die Gewichte passen nicht zu ihrer config.json: {wrong}</translation>
    </message>
    <message>
        <source>the weights lack {name}</source>
        <translation>den Gewichten fehlt {name}</translation>
    </message>
    <message>
        <source>the weights do not belong to {name}: {message}</source>
        <translation>die Gewichte von {name} gehören nicht dazu: {message}</translation>
    </message>
    <message>
        <source>the weights of {name} cannot be read: {error}</source>
        <translation>die Gewichte von {name} können nicht gelesen werden: {error}</translation>
    </message>
    <message>
        <source>the {name} thread is closed</source>
        <translation>der Thread {name} ist geschlossen</translation>
    </message>
    <message>
        <source>the {name} thread was closed</source>
        <translation>der Thread {name} wurde geschlossen</translation>
    </message>
    <message>
        <source>their model is being loaded</source>
        <translation>ihr Modell wird gerade geladen</translation>
    </message>
    <message>
        <source>their model is not installed</source>
        <translation>ihr Modell ist nicht installiert</translation>
    </message>
    <message>
        <source>there is no room for their model</source>
        <translation>für ihr Modell ist kein Platz</translation>
    </message>
    <message>
        <source>no tool called {tool} is available now</source>
        <translation>ein Werkzeug {tool} gibt es jetzt nicht</translation>
    </message>
    <message>
        <source>there is nothing in it to read</source>
        <translation>darin ist nichts zu lesen</translation>
    </message>
    <message>
        <source>this computer has {machine_bytes} GB</source>
        <translation>dieser Computer hat {machine_bytes} GB</translation>
    </message>
    <message>
        <source>this is not a JSON schema: {error}</source>
        <translation>das ist kein JSON-Schema: {error}</translation>
    </message>
    <message>
        <source>this is not a PDF</source>
        <translation>das ist keine PDF-Datei</translation>
    </message>
    <message>
        <source>this model was saved without its vision component</source>
        <translation>dieses Modell wurde ohne Bildteil gespeichert</translation>
    </message>
    <message>
        <source>this model&apos;s tokenizer cannot be bound to a schema</source>
        <translation>der Tokenizer dieses Modells lässt sich nicht an ein Schema binden</translation>
    </message>
    <message>
        <source>this model&apos;s tokenizer cannot be bound to a schema: {error}</source>
        <translation>der Tokenizer dieses Modells lässt sich nicht an ein Schema binden: {error}</translation>
    </message>
    <message>
        <source>tier {n}</source>
        <translation>Stufe {n}</translation>
    </message>
    <message>
        <source>today {time}</source>
        <translation>heute {time}</translation>
    </message>
    <message>
        <source>tokenizer.json has more tokens than the model</source>
        <translation>tokenizer.json hat mehr Token als das Modell</translation>
    </message>
    <message>
        <source>took longer than {seconds} s</source>
        <translation>dauerte länger als {seconds} s</translation>
    </message>
    <message>
        <source>training material</source>
        <translation>Schulungsunterlagen</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>aufgeklappt</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>it would be too large when unpacked</source>
        <translation>ausgepackt wäre sie zu groß</translation>
    </message>
    <message>
        <source>read {pages}</source>
        <translation>{pages} gelesen</translation>
    </message>
    <message>
        <source>until {date}</source>
        <translation>bis {date}</translation>
    </message>
    <message>
        <source>unverified</source>
        <translation>ungeprüft</translation>
    </message>
    <message>
        <source>unverified note</source>
        <translation>ungeprüfte Notiz</translation>
    </message>
    <message>
        <source>used more than {size} GiB</source>
        <translation>brauchte mehr als {size} GiB</translation>
    </message>
    <message>
        <source>user {name}</source>
        <translation>Person {name}</translation>
    </message>
    <message>
        <source>vectors of {dimension} numbers cannot be stored as bits.</source>
        <translation>Vektoren mit {dimension} Zahlen lassen sich nicht als Bits speichern.</translation>
    </message>
    <message>
        <source>version {version} is not a number</source>
        <translation>die Version {version} ist keine Zahl</translation>
    </message>
    <message>
        <source>version {version}; this Groundwork supports {newest}</source>
        <translation>Version {version}, dieses Groundwork kennt {newest}</translation>
    </message>
    <message>
        <source>waited for others at {target}</source>
        <translation>hat unter {target} auf andere gewartet</translation>
    </message>
    <message>
        <source>waiting to be read</source>
        <translation>wartet auf das Lesen</translation>
    </message>
    <message>
        <source>wanted to send to {target}</source>
        <translation>wollte an {target} senden</translation>
    </message>
    <message>
        <source>weights quantised by {method} do not run on MLX</source>
        <translation>mit {method} quantisierte Gewichte laufen nicht auf MLX</translation>
    </message>
    <message>
        <source>what the note is about</source>
        <translation>wovon die Notiz handelt</translation>
    </message>
    <message>
        <source>write a report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>writer</source>
        <translation>Schreiber</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>schreibt</translation>
    </message>
    <message>
        <source>{adapter_config} cannot be merged: {reason}</source>
        <translation>{adapter_config} lässt sich nicht einrechnen: {reason}</translation>
    </message>
    <message>
        <source>{address} cannot be used: {kind}.</source>
        <translation>{address} kann nicht benutzt werden: {kind}.</translation>
    </message>
    <message>
        <source>{backend} needs the package {package}, which is not installed.</source>
        <translation>{backend} braucht das Paket {package}, das nicht installiert ist.</translation>
    </message>
    <message>
        <source>{chosen} is the id of another kind of model, {title}. Give this one a different id with --id.</source>
        <translation>{chosen} ist die Kennung eines Modells anderer Art, {title}. Geben Sie diesem mit --id eine andere.</translation>
    </message>
    <message>
        <source>{config_name} does not say what kind of model this is.</source>
        <translation>{config_name} sagt nicht, welche Art Modell das ist.</translation>
    </message>
    <message>
        <source>{count} of its {n} manuals are missing: attach or update it again.</source>
        <translation>{count} seiner {n} Handbücher sind nicht da: Binden Sie es noch einmal ein oder aktualisieren Sie es.</translation>
    </message>
    <message>
        <source>{count} of “{manual}” could not be read.</source>
        <translation>{count} von „{manual}“ konnten nicht gelesen werden.</translation>
    </message>
    <message>
        <source>{database} is missing</source>
        <translation>{database} fehlt</translation>
    </message>
    <message>
        <source>{day} April</source>
        <translation>{day}. April</translation>
    </message>
    <message>
        <source>{day} August</source>
        <translation>{day}. August</translation>
    </message>
    <message>
        <source>{day} December</source>
        <translation>{day}. Dezember</translation>
    </message>
    <message>
        <source>{day} February</source>
        <translation>{day}. Februar</translation>
    </message>
    <message>
        <source>{day} January</source>
        <translation>{day}. Januar</translation>
    </message>
    <message>
        <source>{day} July</source>
        <translation>{day}. Juli</translation>
    </message>
    <message>
        <source>{day} June</source>
        <translation>{day}. Juni</translation>
    </message>
    <message>
        <source>{day} March</source>
        <translation>{day}. März</translation>
    </message>
    <message>
        <source>{day} May</source>
        <translation>{day}. Mai</translation>
    </message>
    <message>
        <source>{day} November</source>
        <translation>{day}. November</translation>
    </message>
    <message>
        <source>{day} October</source>
        <translation>{day}. Oktober</translation>
    </message>
    <message>
        <source>{day} September</source>
        <translation>{day}. September</translation>
    </message>
    <message>
        <source>{done} of {total}: {title}</source>
        <translation>{done} von {total}: {title}</translation>
    </message>
    <message>
        <source>{file} cannot be read: {reason}.</source>
        <translation>{file} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>{file} is damaged or has been changed. Copy the pack again.</source>
        <translation>{file} ist beschädigt oder wurde verändert. Kopieren Sie das Paket neu.</translation>
    </message>
    <message>
        <source>{file} is missing. Copy the pack again.</source>
        <translation>{file} fehlt. Kopieren Sie das Paket neu.</translation>
    </message>
    <message>
        <source>{file} is not used: another file already describes {name}.</source>
        <translation>{file} wird nicht benutzt: Eine andere Datei beschreibt {name} bereits.</translation>
    </message>
    <message>
        <source>{folder} cannot be written to: {error}</source>
        <translation>{folder} ist nicht beschreibbar: {error}</translation>
    </message>
    <message>
        <source>{folder} holds a different pack, not {name}.</source>
        <translation>{folder} enthält ein anderes Paket als {name}.</translation>
    </message>
    <message>
        <source>{folder} contains no library</source>
        <translation>{folder} enthält keine Bibliothek</translation>
    </message>
    <message>
        <source>{folder} is not empty. Choose a new folder with --library.</source>
        <translation>{folder} ist nicht leer. Wählen Sie mit --library einen neuen Ordner.</translation>
    </message>
    <message>
        <source>{folder} is open in another Groundwork</source>
        <translation>{folder} ist in einem anderen Groundwork geöffnet</translation>
    </message>
    <message>
        <source>{folder}: {state}</source>
        <translation>{folder}: {state}</translation>
    </message>
    <message>
        <source>{found_out} to {sentences} sentences.</source>
        <translation>{found_out} bei {sentences} Sätzen.</translation>
    </message>
    <message>
        <source>{host} returned error {message}. What has arrived is kept: try again later to resume.</source>
        <translation>{host} antwortete mit dem Fehler {message}. Was angekommen ist, bleibt: Versuchen Sie es später erneut, um dort fortzufahren.</translation>
    </message>
    <message>
        <source>{host} cannot be reached, or the connection was lost. What has arrived is kept: try again to resume.</source>
        <translation>{host} ist nicht erreichbar, oder die Verbindung ist abgebrochen. Was angekommen ist, bleibt: Versuchen Sie es erneut, um dort fortzufahren.</translation>
    </message>
    <message>
        <source>{host} does not have {repository}, or no longer has it.</source>
        <translation>{host} hat {repository} nicht (mehr).</translation>
    </message>
    <message>
        <source>{host} gives {repository} only to registered users. Download it in a browser, then import the folder.</source>
        <translation>{host} gibt {repository} nur an registrierte Personen. Laden Sie es mit einem Browser herunter, und importieren Sie den Ordner.</translation>
    </message>
    <message>
        <source>{id} cannot run here: {reason}</source>
        <translation>{id} kann hier nicht laufen: {reason}</translation>
    </message>
    <message>
        <source>{id} is already installed.</source>
        <translation>{id} ist schon installiert.</translation>
    </message>
    <message>
        <source>{id} is quantised for MLX; torch cannot run it</source>
        <translation>{id} ist für MLX quantisiert; torch kann es nicht ausführen</translation>
    </message>
    <message>
        <source>{id} was removed during the import.</source>
        <translation>{id} wurde während des Imports entfernt.</translation>
    </message>
    <message>
        <source>{index} does not name the weight files.</source>
        <translation>{index} nennt die Dateien der Gewichte nicht.</translation>
    </message>
    <message>
        <source>{listed} does not appear in the cited words of {passages}.</source>
        <translation>{listed} steht nicht in den zitierten Wörtern von {passages}.</translation>
    </message>
    <message>
        <source>{loaded}
{machine}
Click to open the models.</source>
        <translation>{loaded}
{machine}
Klicken öffnet die Modelle.</translation>
    </message>
    <message>
        <source>{manifest_name} is missing or cannot be read.</source>
        <translation>{manifest_name} fehlt oder ist nicht lesbar.</translation>
    </message>
    <message>
        <source>{manuals} are no longer in the folder {folder}. Keep them in the library? {name}</source>
        <translation>{manuals} sind nicht mehr im Ordner {folder}. In der Bibliothek behalten? {name}</translation>
    </message>
    <message>
        <source>{manuals}, {pages} ready</source>
        <translation>{manuals}, {pages} bereit</translation>
    </message>
    <message>
        <source>{manual}, page {page}</source>
        <translation>{manual}, Seite {page}</translation>
    </message>
    <message>
        <source>{manual}, page {page} (no longer in the library)</source>
        <translation>{manual}, Seite {page} (nicht mehr in der Bibliothek)</translation>
    </message>
    <message>
        <source>{manual}, page {page} (page {position} of the file)</source>
        <translation>{manual}, Seite {page} (Seite {position} der Datei)</translation>
    </message>
    <message>
        <source>{message} arrived damaged: its hash is not the one that {host} lists. It was deleted; try again.</source>
        <translation>{message} kam beschädigt an: Die Prüfsumme ist nicht die, die {host} nennt. Die Datei wurde gelöscht; versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>{model_id} is already installed. Remove it first, or import this one with &apos;groundwork models import&apos; and --replace or another --id.</source>
        <translation>{model_id} ist schon installiert. Entfernen Sie es zuerst, oder importieren Sie dieses mit „groundwork models import“ und --replace oder einer anderen --id.</translation>
    </message>
    <message>
        <source>{model_id} returns vectors that are not numbers</source>
        <translation>{model_id} liefert Vektoren, die keine Zahlen sind</translation>
    </message>
    <message>
        <source>{names} and config.json do not match: {error}</source>
        <translation>{names} und config.json passen nicht zusammen: {error}</translation>
    </message>
    <message>
        <source>{names} does not match its config.json: {error}</source>
        <translation>{names} passt nicht zu seiner config.json: {error}</translation>
    </message>
    <message>
        <source>{name} (no longer in the library)</source>
        <translation>{name} (nicht mehr in der Bibliothek)</translation>
    </message>
    <message>
        <source>{name} includes program code, which is never run</source>
        <translation>{name} bringt Programmcode mit, der nie ausgeführt wird</translation>
    </message>
    <message>
        <source>{name} cannot be opened: {error}</source>
        <translation>{name} kann nicht geöffnet werden: {error}</translation>
    </message>
    <message>
        <source>{name} cannot be read</source>
        <translation>{name} kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>{name} cannot be read: {error}</source>
        <translation>{name} kann nicht gelesen werden: {error}</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}.</source>
        <translation>{name} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>{name} cannot be read: {strerror}.</source>
        <translation>{name} kann nicht gelesen werden: {strerror}.</translation>
    </message>
    <message>
        <source>{name} cannot run here: {message}</source>
        <translation>{name} kann hier nicht laufen: {message}</translation>
    </message>
    <message>
        <source>{name} changed or was cut off while being copied. Try again, and keep the disk connected.</source>
        <translation>{name} hat sich beim Kopieren geändert oder brach ab. Versuchen Sie es erneut, und lassen Sie den Datenträger angeschlossen.</translation>
    </message>
    <message>
        <source>{name} changes nothing</source>
        <translation>{name} ändert nichts</translation>
    </message>
    <message>
        <source>{name} could not be written: choose another folder</source>
        <translation>{name} konnte nicht geschrieben werden: Wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>{name} could not be written: {why}</source>
        <translation>{name} konnte nicht geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>{name} does not belong in a library.</source>
        <translation>{name} gehört nicht in eine Bibliothek.</translation>
    </message>
    <message>
        <source>{name} ends in an unknown layer: {name2}</source>
        <translation>{name} endet in einer hier unbekannten Schicht: {name2}</translation>
    </message>
    <message>
        <source>{name} has disappeared from {root}.</source>
        <translation>{name} ist aus {root} verschwunden.</translation>
    </message>
    <message>
        <source>{name} has more than {n} rows. Split the file.</source>
        <translation>{name} hat mehr als {n} Zeilen. Teilen Sie die Datei auf.</translation>
    </message>
    <message>
        <source>{name} has no projection to page vectors ({projection}): it is not a ColQwen model, or is an adapter that must be merged with its base first</source>
        <translation>{name} hat keine Abbildung auf Seitenvektoren ({projection}): Es ist kein ColQwen-Modell oder ein Adapter, der erst in sein Basismodell eingerechnet werden muss</translation>
    </message>
    <message>
        <source>{name} has no readable {adapter_config}</source>
        <translation>{name} hat keine lesbare {adapter_config}</translation>
    </message>
    <message>
        <source>{name} has no tables that can be read</source>
        <translation>{name} hat keine lesbaren Tabellen</translation>
    </message>
    <message>
        <source>{name} has no weights (*.safetensors)</source>
        <translation>{name} hat keine Gewichte (*.safetensors)</translation>
    </message>
    <message>
        <source>{name} has no weights in it.</source>
        <translation>{name} enthält keine Gewichte.</translation>
    </message>
    <message>
        <source>{name} uses a number type Groundwork does not know: {dtype}.</source>
        <translation>{name} hat Zahlen einer Art, die Groundwork nicht kennt: {dtype}.</translation>
    </message>
    <message>
        <source>{name} has the shape {shape}, not {shape2}</source>
        <translation>{name} hat die Form {shape}, nicht {shape2}</translation>
    </message>
    <message>
        <source>{name} is {size} MB; a model file of this kind is at most {most_text_bytes} MB.</source>
        <translation>{name} hat {size} MB; eine solche Datei eines Modells hat höchstens {most_text_bytes} MB.</translation>
    </message>
    <message>
        <source>{name} contains no library.db</source>
        <translation>{name} enthält keine library.db</translation>
    </message>
    <message>
        <source>{name} contains no object with metadata, pieces and graph.</source>
        <translation>{name} enthält kein Objekt mit metadata, pieces und graph.</translation>
    </message>
    <message>
        <source>{name} contains {found}, not made by Groundwork: it is not trusted.</source>
        <translation>{name} enthält {found}, was kein Groundwork gemacht hat: Dem wird nicht vertraut.</translation>
    </message>
    <message>
        <source>{name} contains {name2} twice</source>
        <translation>{name} enthält {name2} ein zweites Mal</translation>
    </message>
    <message>
        <source>{name} in {folder} is not the published file</source>
        <translation>{name} in {folder} ist nicht die veröffentlichte Datei</translation>
    </message>
    <message>
        <source>{name} in {name2} is not what was backed up</source>
        <translation>{name} in {name2} ist nicht das, was gesichert wurde</translation>
    </message>
    <message>
        <source>{name} is a device or a pipe, not a file.</source>
        <translation>{name} ist ein Gerät oder eine Pipe, keine Datei.</translation>
    </message>
    <message>
        <source>{name} is a key, but not an Ed25519 key.</source>
        <translation>{name} ist ein Schlüssel anderer Art als Ed25519.</translation>
    </message>
    <message>
        <source>{name} is a link or a device, not a file.</source>
        <translation>{name} ist eine Verknüpfung oder ein Gerät, keine Datei.</translation>
    </message>
    <message>
        <source>{name} is a pickle, which can run code when it is opened</source>
        <translation>{name} ist ein Pickle, das beim Öffnen Code ausführen kann</translation>
    </message>
    <message>
        <source>{name} is a symbolic link, which can point anywhere.</source>
        <translation>{name} ist eine symbolische Verknüpfung, die überallhin zeigen kann.</translation>
    </message>
    <message>
        <source>{name} is a symbolic link, which can point anywhere. Copy the folder so that it has plain files (cp -RL FOLDER COPY) and import the copy.</source>
        <translation>{name} ist eine symbolische Verknüpfung, die überallhin zeigen kann. Kopieren Sie den Ordner so, dass er gewöhnliche Dateien enthält (cp -RL ORDNER KOPIE), und importieren Sie die Kopie.</translation>
    </message>
    <message>
        <source>{name} is already being downloaded.</source>
        <translation>{name} wird schon heruntergeladen.</translation>
    </message>
    <message>
        <source>{name} is cut off: it has {size} of {wanted} bytes. Copy or download it again.</source>
        <translation>{name} ist abgeschnitten: {size} Byte von {wanted}. Kopieren Sie es neu oder laden Sie es erneut herunter.</translation>
    </message>
    <message>
        <source>{name} is cut off: it has only {size} bytes.</source>
        <translation>{name} ist abgeschnitten: Es ist bis auf {size} Byte leer.</translation>
    </message>
    <message>
        <source>{name} is damaged</source>
        <translation>{name} ist beschädigt</translation>
    </message>
    <message>
        <source>{name} is damaged and cannot be unpacked. Copy or download it again.</source>
        <translation>{name} ist beschädigt und lässt sich nicht entpacken. Kopieren Sie es neu oder laden Sie es erneut herunter.</translation>
    </message>
    <message>
        <source>{name} is damaged at {tensor}.</source>
        <translation>{name} ist bei {tensor} beschädigt.</translation>
    </message>
    <message>
        <source>{name} is damaged: it is longer than its parts.</source>
        <translation>{name} ist beschädigt: länger als die Teile darin.</translation>
    </message>
    <message>
        <source>{name} is damaged: it is not JSON.</source>
        <translation>{name} ist beschädigt: Es ist kein JSON.</translation>
    </message>
    <message>
        <source>{name} is damaged: its parts overlap or leave gaps.</source>
        <translation>{name} ist beschädigt: Die Teile überlappen sich oder lassen Lücken.</translation>
    </message>
    <message>
        <source>{name} is encrypted: its passphrase is needed.</source>
        <translation>{name} ist verschlüsselt: Die Passphrase wird gebraucht.</translation>
    </message>
    <message>
        <source>{name} is in another program&apos;s format</source>
        <translation>{name} hat ein Format anderer Programme</translation>
    </message>
    <message>
        <source>{name} is larger than {most_bytes} MB; load it in parts.</source>
        <translation>{name} ist größer als {most_bytes} MB; laden Sie es in Teilen.</translation>
    </message>
    <message>
        <source>{name} is larger than {most_text_bytes} MB.</source>
        <translation>{name} ist größer als {most_text_bytes} MB.</translation>
    </message>
    <message>
        <source>{name} is longer than it says.</source>
        <translation>{name} ist länger als angegeben.</translation>
    </message>
    <message>
        <source>{name} is missing</source>
        <translation>{name} fehlt</translation>
    </message>
    <message>
        <source>{name} is missing from {name2}</source>
        <translation>{name} fehlt in {name2}</translation>
    </message>
    <message>
        <source>{name} is missing from {parent}</source>
        <translation>{name} fehlt in {parent}</translation>
    </message>
    <message>
        <source>{name} is neither a folder nor a zip file. Import the folder that holds config.json and the safetensors files, or a pack made with &apos;groundwork models pack&apos;.</source>
        <translation>{name} ist weder ein Ordner noch eine Zip-Datei. Importieren Sie den Ordner mit config.json und den safetensors-Dateien oder ein Paket, das mit „groundwork models pack“ gemacht wurde.</translation>
    </message>
    <message>
        <source>{name} is not a readable Excel file.</source>
        <translation>{name} ist keine lesbare Excel-Datei.</translation>
    </message>
    <message>
        <source>{name} is not a key file.</source>
        <translation>{name} ist keine Schlüsseldatei.</translation>
    </message>
    <message>
        <source>{name} is no longer in the folder {folder}. Keep it in the library?</source>
        <translation>{name} ist nicht mehr im Ordner {folder}. In der Bibliothek behalten?</translation>
    </message>
    <message>
        <source>{name} is not a private key, or the passphrase is wrong.</source>
        <translation>{name} ist kein privater Schlüssel, oder die Passphrase ist falsch.</translation>
    </message>
    <message>
        <source>{name} is not a public key.</source>
        <translation>{name} ist kein öffentlicher Schlüssel.</translation>
    </message>
    <message>
        <source>{name} is not a table: questions and answers must be .csv or .xlsx.</source>
        <translation>{name} ist keine Tabelle: Fragen und Antworten sind .csv oder .xlsx.</translation>
    </message>
    <message>
        <source>{name} is not readable text.</source>
        <translation>{name} ist kein lesbarer Text.</translation>
    </message>
    <message>
        <source>{name} is not a plain file.</source>
        <translation>{name} ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>{name} is not a safetensors file, or its beginning is damaged.</source>
        <translation>{name} ist keine safetensors-Datei, oder ihr Anfang ist beschädigt.</translation>
    </message>
    <message>
        <source>{name} is not available now.</source>
        <translation>{name} ist jetzt nicht verfügbar.</translation>
    </message>
    <message>
        <source>{name} is not encrypted: leave out the passphrase.</source>
        <translation>{name} ist nicht verschlüsselt: Geben Sie keine Passphrase an.</translation>
    </message>
    <message>
        <source>{name} is not UTF-8 text.</source>
        <translation>{name} ist kein Text in UTF-8.</translation>
    </message>
    <message>
        <source>{name} is not the file that was exported (checksum).</source>
        <translation>{name} ist nicht die Datei, die exportiert wurde (Prüfsumme).</translation>
    </message>
    <message>
        <source>{name} is not the manual its name says it is.</source>
        <translation>{name} ist nicht das Handbuch, das der Name nennt.</translation>
    </message>
    <message>
        <source>{name} does not match its list of files.</source>
        <translation>{name} ist nicht so vorhanden, wie die Dateiliste sagt.</translation>
    </message>
    <message>
        <source>{name} is not used: {reason}</source>
        <translation>{name} wird nicht benutzt: {reason}</translation>
    </message>
    <message>
        <source>{name} is not valid JSON: {fault}.</source>
        <translation>{name} ist kein gültiges JSON: {fault}.</translation>
    </message>
    <message>
        <source>{name} is not valid JSON: {msg} (line {lineno}, column {colno}).</source>
        <translation>{name} ist kein gültiges JSON: {msg} (Zeile {lineno}, Spalte {colno}).</translation>
    </message>
    <message>
        <source>{name} is packed in a way Groundwork cannot read.</source>
        <translation>{name} ist auf eine Weise gepackt, die Groundwork nicht liest.</translation>
    </message>
    <message>
        <source>{name} is quantised: merge with the original base model</source>
        <translation>{name} ist quantisiert: mit dem ursprünglichen Basismodell zusammenführen</translation>
    </message>
    <message>
        <source>{name} is the private key, which stays with its owner. Use the .pub file.</source>
        <translation>{name} ist der private Schlüssel, der bei seinem Besitzer bleibt. Nehmen Sie die .pub-Datei.</translation>
    </message>
    <message>
        <source>{name} already exists and contains no Groundwork answers. Choose another file.</source>
        <translation>{name} gibt es schon, und es stehen keine Antworten von Groundwork darin. Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>{name} is {section}, not {empty}.</source>
        <translation>{name} ist {section}, nicht {empty}.</translation>
    </message>
    <message>
        <source>{name} leaves its prompt out of the vector</source>
        <translation>{name} lässt seinen Prompt im Vektor aus</translation>
    </message>
    <message>
        <source>{name} makes its vector in an unknown way: {modes}</source>
        <translation>{name} bildet seinen Vektor auf eine hier unbekannte Weise: {modes}</translation>
    </message>
    <message>
        <source>{name} of {name2} and its config.json do not match</source>
        <translation>{name} von {name2} und seine config.json passen nicht zusammen</translation>
    </message>
    <message>
        <source>{name} of {name2} cannot be read: {error}</source>
        <translation>{name} von {name2} kann nicht gelesen werden: {error}</translation>
    </message>
    <message>
        <source>{name} of {name2} cannot be used: {error}</source>
        <translation>{name} von {name2} ist nicht verwendbar: {error}</translation>
    </message>
    <message>
        <source>{name} of {name2} has more tokens than the model</source>
        <translation>{name} von {name2} hat mehr Token als das Modell</translation>
    </message>
    <message>
        <source>{name} of {name2} is missing or damaged</source>
        <translation>{name} von {name2} fehlt oder ist beschädigt</translation>
    </message>
    <message>
        <source>{name} of {name2} is not a list of settings</source>
        <translation>{name} von {name2} ist keine Liste von Einstellungen</translation>
    </message>
    <message>
        <source>{name} profile</source>
        <translation>Profil {name}</translation>
    </message>
    <message>
        <source>{name} shares notes. Compare the key with {name} before you trust it: {key}</source>
        <translation>{name} teilt Notizen. Vergleichen Sie den Schlüssel mit {name}, bevor Sie ihm vertrauen: {key}</translation>
    </message>
    <message>
        <source>{name} was already run with the same inputs.</source>
        <translation>{name} lief schon mit denselben Eingaben.</translation>
    </message>
    <message>
        <source>{name} was made for another base model: it changes {module}</source>
        <translation>{name} wurde für ein anderes Basismodell gemacht: Es ändert {module}</translation>
    </message>
    <message>
        <source>{name} was made for another base model: {module} is {shape}</source>
        <translation>{name} wurde für ein anderes Basismodell gemacht: {module} ist {shape}</translation>
    </message>
    <message>
        <source>{name} was made for another base model: {name2} differs</source>
        <translation>{name} wurde für ein anderes Basismodell gemacht: {name2} weicht ab</translation>
    </message>
    <message>
        <source>{name} was not added: {reason}</source>
        <translation>{name} wurde nicht hinzugefügt: {reason}</translation>
    </message>
    <message>
        <source>{name} was read, but a model could not make all its vectors. {reason} Fix that and build again: it continues from here.</source>
        <translation>{name} wurde gelesen, aber ein Modell konnte nicht alle Vektoren bilden. {reason} Beheben Sie das und bauen Sie noch einmal: Es geht hier weiter.</translation>
    </message>
    <message>
        <source>{name} would grow to {file_size} MB from almost nothing: this is not a model; it is made to fill the disk.</source>
        <translation>{name} würde aus fast nichts auf {file_size} MB wachsen: Das ist kein Modell, es ist dazu gemacht, den Datenträger zu füllen.</translation>
    </message>
    <message>
        <source>{name}, release {release}:</source>
        <translation>{name}, Version {release}:</translation>
    </message>
    <message>
        <source>{name}, {day}:</source>
        <translation>{name}, {day}:</translation>
    </message>
    <message>
        <source>{name}: &apos;{model_type}&apos; is not a text model known here</source>
        <translation>{name}: „{model_type}“ ist kein hier bekanntes Textmodell</translation>
    </message>
    <message>
        <source>{name}: two services want section {name2}.</source>
        <translation>{name}: Zwei Dienste wollen den Abschnitt {name2}.</translation>
    </message>
    <message>
        <source>{name}: {stored_name} is of a kind that cannot be merged</source>
        <translation>{name}: {stored_name} ist von einer Art, die sich nicht einrechnen lässt</translation>
    </message>
    <message>
        <source>{notes} exported to {name}.</source>
        <translation>{notes} nach {name} exportiert.</translation>
    </message>
    <message>
        <source>{note}, differs from the manual</source>
        <translation>{note}, weicht vom Handbuch ab</translation>
    </message>
    <message>
        <source>{n} GB</source>
        <translation>{n} GB</translation>
    </message>
    <message>
        <source>{n} MB</source>
        <translation>{n} MB</translation>
    </message>
    <message>
        <source>{n} skipped: not trusted enough.</source>
        <translation>{n} übersprungen: nicht vertrauenswürdig genug.</translation>
    </message>
    <message>
        <source>{n} changes</source>
        <translation>{n} Änderungen</translation>
    </message>
    <message>
        <source>{n} citations</source>
        <translation>{n} Fundstellen</translation>
    </message>
    <message>
        <source>{n} corrections</source>
        <translation>{n} Korrekturen</translation>
    </message>
    <message>
        <source>{n} doubts left</source>
        <translation>{n} offene Zweifel</translation>
    </message>
    <message>
        <source>{n} failed steps</source>
        <translation>{n} fehlgeschlagene Schritte</translation>
    </message>
    <message>
        <source>{n} findings</source>
        <translation>{n} Befunde</translation>
    </message>
    <message>
        <source>{n} found by their words</source>
        <translation>{n} über ihre Wörter gefunden</translation>
    </message>
    <message>
        <source>{n} kB</source>
        <translation>{n} kB</translation>
    </message>
    <message>
        <source>{n} left. Choose the same file to continue.</source>
        <translation>{n} noch offen. Wählen Sie dieselbe Datei, um weiterzumachen.</translation>
    </message>
    <message>
        <source>{n} manuals</source>
        <translation>{n} Handbücher</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>{n} more after this one</source>
        <translation>danach noch {n}</translation>
    </message>
    <message>
        <source>{n} more sources.</source>
        <translation>{n} weitere Quellen.</translation>
    </message>
    <message>
        <source>{n} not fully read</source>
        <translation>{n} nicht ganz gelesen</translation>
    </message>
    <message>
        <source>{n} notes</source>
        <translation>{n} Notizen</translation>
    </message>
    <message>
        <source>{n} objections</source>
        <translation>{n} Einwände</translation>
    </message>
    <message>
        <source>{n} from another time are left out ({when}).</source>
        <translation>Aus anderer Zeit und ausgelassen: {n} ({when}).</translation>
    </message>
    <message>
        <source>{n} of its files are not needed and were left out.</source>
        <translation>{n} seiner Dateien sind nicht nötig und wurden ausgelassen.</translation>
    </message>
    <message>
        <source>{n} of {count}</source>
        <translation>{n} von {count}</translation>
    </message>
    <message>
        <source>{n} of {m} sources cited</source>
        <translation>{n} von {m} Quellen zitiert</translation>
    </message>
    <message>
        <source>{n} of {notes}</source>
        <translation>{n} von {notes}</translation>
    </message>
    <message>
        <source>{n} pages</source>
        <translation>{n} Seiten</translation>
    </message>
    <message>
        <source>{n} pages have not been read yet and were not compared.</source>
        <translation>{n} Seiten sind noch nicht gelesen und wurden nicht verglichen.</translation>
    </message>
    <message>
        <source>{n} passages</source>
        <translation>{n} Textstellen</translation>
    </message>
    <message>
        <source>{n} questions</source>
        <translation>{n} Fragen</translation>
    </message>
    <message>
        <source>{n} ready</source>
        <translation>{n} bereit</translation>
    </message>
    <message>
        <source>{n} refused.</source>
        <translation>{n} abgelehnt.</translation>
    </message>
    <message>
        <source>{n} removed.</source>
        <translation>{n} entfernt.</translation>
    </message>
    <message>
        <source>{n} rounds</source>
        <translation>{n} Runden</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
    <message>
        <source>{n} sentences</source>
        <translation>{n} Sätze</translation>
    </message>
    <message>
        <source>{n} sources are read in {mode} mode.</source>
        <translation>Gelesene Quellen: {n} (Recherche-Modus: {mode}).</translation>
    </message>
    <message>
        <source>{n} sources found.</source>
        <translation>Gefundene Quellen: {n}.</translation>
    </message>
    <message>
        <source>{n} sources were</source>
        <translation>{n} Quellen</translation>
    </message>
    <message>
        <source>{n} statements</source>
        <translation>{n} Aussagen</translation>
    </message>
    <message>
        <source>{n} site statements were not compared: time ran out.</source>
        <translation>{n} Aussagen des Standorts wurden nicht verglichen: Die Zeit war um.</translation>
    </message>
    <message>
        <source>{n} added.</source>
        <translation>{n} hinzugefügt.</translation>
    </message>
    <message>
        <source>{n} tokens read, {m} written</source>
        <translation>{n} Token gelesen, {m} geschrieben</translation>
    </message>
    <message>
        <source>{n} unchanged.</source>
        <translation>{n} unverändert.</translation>
    </message>
    <message>
        <source>{n} waiting</source>
        <translation>{n} warten</translation>
    </message>
    <message>
        <source>{n} were already there, as your own or another pack&apos;s.</source>
        <translation>{n} waren schon da, als Ihre eigenen oder die eines anderen Pakets.</translation>
    </message>
    <message>
        <source>Reading this file stopped {n} times, as happens when memory runs out, so the file is skipped.</source>
        <translation>Das Lesen dieser Datei endete {n}-mal, wie es bei fehlendem Speicher geschieht; die Datei wird übersprungen.</translation>
    </message>
    <message>
        <source>{n}%</source>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>{n}&#xa0;h&#xa0;left</source>
        <translation>noch&#xa0;{n}&#xa0;h</translation>
    </message>
    <message>
        <source>{n}&#xa0;min&#xa0;left</source>
        <translation>noch&#xa0;{n}&#xa0;min</translation>
    </message>
    <message>
        <source>{n}&#xa0;s&#xa0;left</source>
        <translation>noch&#xa0;{n}&#xa0;s</translation>
    </message>
    <message>
        <source>{one} and {other} contradict each other: “{told}” – “{told2}”</source>
        <translation>{one} und {other} widersprechen sich: „{told}“ – „{told2}“</translation>
    </message>
    <message>
        <source>{pages}, no words found</source>
        <translation>{pages}, keine Wörter gefunden</translation>
    </message>
    <message>
        <source>{pages}, {failed} only partly read</source>
        <translation>{pages}, {failed} nur teilweise gelesen</translation>
    </message>
    <message>
        <source>{page} (page {position} of the file)</source>
        <translation>{page} (Seite {position} der Datei)</translation>
    </message>
    <message>
        <source>{page} is bookmarked</source>
        <translation>{page} hat ein Lesezeichen</translation>
    </message>
    <message>
        <source>{page} is no longer bookmarked</source>
        <translation>{page} hat kein Lesezeichen mehr</translation>
    </message>
    <message>
        <source>{page} of {count}</source>
        <translation>{page} von {count}</translation>
    </message>
    <message>
        <source>{parent} cannot be written to: {error}</source>
        <translation>{parent} ist nicht beschreibbar: {error}</translation>
    </message>
    <message>
        <source>{part}: {title}</source>
        <translation>{part}: {title}</translation>
    </message>
    <message>
        <source>{passages} says something else: “{told}”</source>
        <translation>{passages} sagt etwas anderes: „{told}“</translation>
    </message>
    <message>
        <source>{path} cannot be opened or written: {error}</source>
        <translation>{path} kann nicht geöffnet oder geschrieben werden: {error}</translation>
    </message>
    <message>
        <source>{path} cannot be read or written: {error}</source>
        <translation>{path} kann nicht gelesen oder geschrieben werden: {error}</translation>
    </message>
    <message>
        <source>{path} cannot be read: {error}</source>
        <translation>{path} kann nicht gelesen werden: {error}</translation>
    </message>
    <message>
        <source>{path} cannot be written to: {error}</source>
        <translation>{path} ist nicht beschreibbar: {error}</translation>
    </message>
    <message>
        <source>{path} has {size} of {bytes} bytes.</source>
        <translation>{path} hat {size} von {bytes} Byte.</translation>
    </message>
    <message>
        <source>{path} has {there} bytes, but the file list says {bytes}. Copy the pack again.</source>
        <translation>{path} hat {there} Byte, die Dateiliste nennt {bytes}. Kopieren Sie das Paket neu.</translation>
    </message>
    <message>
        <source>{path} contains no knowledge.</source>
        <translation>{path} enthält kein Wissen.</translation>
    </message>
    <message>
        <source>{path} is another program&apos;s database</source>
        <translation>{path} ist die Datenbank eines anderen Programms</translation>
    </message>
    <message>
        <source>{path} is cut off or not a database</source>
        <translation>{path} ist abgeschnitten oder keine Datenbank</translation>
    </message>
    <message>
        <source>{path} is damaged: it is not the file that was imported.</source>
        <translation>{path} ist beschädigt: Es ist nicht die Datei, die importiert wurde.</translation>
    </message>
    <message>
        <source>{path} is damaged: {error}</source>
        <translation>{path} ist beschädigt: {error}</translation>
    </message>
    <message>
        <source>{path} is damaged: {lines}{more}</source>
        <translation>{path} ist beschädigt: {lines}{more}</translation>
    </message>
    <message>
        <source>{path} is damaged: {value}</source>
        <translation>{path} ist beschädigt: {value}</translation>
    </message>
    <message>
        <source>{path} is empty</source>
        <translation>{path} ist leer</translation>
    </message>
    <message>
        <source>{path} is empty, but {originals} holds manuals</source>
        <translation>{path} ist leer, aber {originals} enthält Handbücher</translation>
    </message>
    <message>
        <source>{path} is in use by another program</source>
        <translation>{path} wird von einem anderen Programm benutzt</translation>
    </message>
    <message>
        <source>{path} is listed twice</source>
        <translation>{path} ist doppelt aufgeführt</translation>
    </message>
    <message>
        <source>{path} is on the file list, but missing.</source>
        <translation>{path} steht auf der Dateiliste, fehlt aber.</translation>
    </message>
    <message>
        <source>{path} is missing.</source>
        <translation>{path} fehlt.</translation>
    </message>
    <message>
        <source>{path} is not a safetensors, settings, tokenizer or licence file</source>
        <translation>{path} ist weder safetensors noch Einstellung, Tokenizer oder Lizenz</translation>
    </message>
    <message>
        <source>{path} is not a folder that can be reached.</source>
        <translation>{path} ist kein erreichbarer Ordner.</translation>
    </message>
    <message>
        <source>{path} is not a Groundwork library</source>
        <translation>{path} ist keine Groundwork-Bibliothek</translation>
    </message>
    <message>
        <source>{path} is not the file on the file list: its SHA-256 differs. Copy the pack again; if that does not help, do not trust it.</source>
        <translation>{path} ist nicht die Datei der Dateiliste: Ihr SHA-256 weicht ab. Kopieren Sie das Paket neu; wenn das nicht hilft, vertrauen Sie ihm nicht.</translation>
    </message>
    <message>
        <source>{path} is not watched.</source>
        <translation>{path} wird nicht beobachtet.</translation>
    </message>
    <message>
        <source>{path} is already watched, with {known}.</source>
        <translation>{path} wird mit {known} schon beobachtet.</translation>
    </message>
    <message>
        <source>{n} of {manuals} read</source>
        <translation>{manuals}: {n} gelesen</translation>
    </message>
    <message>
        <source>{path} of {id} is damaged: it is not the file that was imported.</source>
        <translation>{path} von {id} ist beschädigt: Es ist nicht die Datei, die importiert wurde.</translation>
    </message>
    <message>
        <source>{path} of {id} is missing.</source>
        <translation>{path} von {id} fehlt.</translation>
    </message>
    <message>
        <source>{path} was opened for reading only</source>
        <translation>{path} wurde nur zum Lesen geöffnet</translation>
    </message>
    <message>
        <source>{place} is damaged: {how_to_install}</source>
        <translation>{place} ist beschädigt: {how_to_install}</translation>
    </message>
    <message>
        <source>{place} is missing.</source>
        <translation>{place} fehlt.</translation>
    </message>
    <message>
        <source>{place} is not known here.</source>
        <translation>{place} ist hier nicht bekannt.</translation>
    </message>
    <message>
        <source>{place} is wrong: {what}.</source>
        <translation>{place} ist falsch: {what}.</translation>
    </message>
    <message>
        <source>{place} says: “{text}”</source>
        <translation>{place} sagt: „{text}“</translation>
    </message>
    <message>
        <source>{purpose} needs {needed}, and {free} of the {pool} for models is available</source>
        <translation>{purpose} braucht {needed}; von {pool} für Modelle sind {free} zu haben</translation>
    </message>
    <message>
        <source>{questions} answered, {n} to check: {name}</source>
        <translation>{questions} beantwortet, {n} zu prüfen: {name}</translation>
    </message>
    <message>
        <source>{question} ({where})</source>
        <translation>{question} ({where})</translation>
    </message>
    <message>
        <source>{reason} Ask a shorter question, choose fewer manuals, or start a new conversation.</source>
        <translation>{reason} Stellen Sie eine kürzere Frage, wählen Sie weniger Handbücher, oder beginnen Sie eine neue Unterhaltung.</translation>
    </message>
    <message>
        <source>{reason} Change it and try again.</source>
        <translation>{reason} Ändern Sie es und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>{reason} Choose another folder.</source>
        <translation>{reason} Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{reason} Choose another model on the Models page.</source>
        <translation>{reason} Wählen Sie ein anderes Modell auf der Seite „Modelle“.</translation>
    </message>
    <message>
        <source>{reason} Deep research looks into it more thoroughly.</source>
        <translation>{reason} Die Tiefenrecherche untersucht es gründlicher.</translation>
    </message>
    <message>
        <source>{reason} Import it on the Models page, from a folder, a zip or a USB stick.</source>
        <translation>{reason} Importieren Sie es auf der Seite „Modelle“ aus einem Ordner, einer Zip-Datei oder von einem USB-Stick.</translation>
    </message>
    <message>
        <source>{reason} None of it was kept.</source>
        <translation>{reason} Nichts davon wurde behalten.</translation>
    </message>
    <message>
        <source>{reason} Nothing was written.</source>
        <translation>{reason} Nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>{reason} Still to be installed: {titles}.</source>
        <translation>{reason} Noch zu installieren: {titles}.</translation>
    </message>
    <message>
        <source>{reason} The manuals are quoted instead.</source>
        <translation>{reason} Stattdessen werden die Handbücher zitiert.</translation>
    </message>
    <message>
        <source>{reason} Your library is unchanged.</source>
        <translation>{reason} Ihre Bibliothek ist, wie sie war.</translation>
    </message>
    <message>
        <source>{revision} (older: {newer} is here)</source>
        <translation>{revision} (älter: {newer} ist da)</translation>
    </message>
    <message>
        <source>{sentence} cites no page.</source>
        <translation>{sentence} nennt keine Seite.</translation>
    </message>
    <message>
        <source>{sentence} does not appear in the cited words of {passages}.</source>
        <translation>{sentence} steht nicht in den zitierten Wörtern von {passages}.</translation>
    </message>
    <message>
        <source>{size} of memory while running</source>
        <translation>{size} Arbeitsspeicher im Betrieb</translation>
    </message>
    <message>
        <source>{size} on disk</source>
        <translation>{size} auf dem Datenträger</translation>
    </message>
    <message>
        <source>{size}, 1 page differs</source>
        <translation>{size}, 1 Seite weicht ab</translation>
    </message>
    <message>
        <source>{size}, {n} pages differ</source>
        <translation>{size}, {n} Seiten weichen ab</translation>
    </message>
    <message>
        <source>{sound} of {claims} backed by {where}</source>
        <translation>{claims}, davon in {where} belegt: {sound}</translation>
    </message>
    <message>
        <source>{summary}. Hide the reasoning</source>
        <translation>{summary}. Lösungsweg ausblenden</translation>
    </message>
    <message>
        <source>{summary}. Show the reasoning</source>
        <translation>{summary}. Lösungsweg zeigen</translation>
    </message>
    <message>
        <source>{title} was not added: {reason}</source>
        <translation>{title} wurde nicht hinzugefügt: {reason}</translation>
    </message>
    <message>
        <source>{title} with highlights</source>
        <translation>{title} mit Markierungen</translation>
    </message>
    <message>
        <source>“Automatic” leaves a quarter of the computer&apos;s memory, at least 4 GiB, for everything else.</source>
        <translation>„Automatisch“ lässt ein Viertel des Arbeitsspeichers, mindestens 4 GiB, für alles andere frei.</translation>
    </message>
    <message>
        <source>“Review before saving” asks the language model what the text contains. That can take a minute and can be cancelled.</source>
        <translation>„Vor dem Speichern prüfen“ fragt das Sprachmodell, was der Text enthält. Das kann eine Minute dauern und lässt sich abbrechen.</translation>
    </message>
    <message>
        <source>“{manual}” is in English: ask in English, too.</source>
        <translation>„{manual}“ ist auf Englisch: Fragen Sie auch auf Englisch.</translation>
    </message>
    <message>
        <source>“{manual}” is in German: ask in German, too.</source>
        <translation>„{manual}“ ist auf Deutsch: Fragen Sie auch auf Deutsch.</translation>
    </message>
    <message>
        <source>“{manual}” is still being read.</source>
        <translation>„{manual}“ wird noch gelesen.</translation>
    </message>
    <message>
        <source>“{manual}” was not read.</source>
        <translation>„{manual}“ wurde nicht gelesen.</translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation>„{text}“</translation>
    </message>
    <message>
        <source>“{text}” is in its title</source>
        <translation>„{text}“ steht im Titel</translation>
    </message>
    <message>
        <source>“{text}” is on its pages</source>
        <translation>„{text}“ steht auf seinen Seiten</translation>
    </message>
    <message>
        <source>Questions now go to “{titles}”.</source>
        <translation>Fragen gehen jetzt an „{titles}“.</translation>
    </message>
    <message>
        <source>“{title}” belongs to the pack {pack}</source>
        <translation>„{title}“ gehört zum Paket {pack}</translation>
    </message>
    <message>
        <source>“{title}” is an older revision; {newer} is in the library.</source>
        <translation>„{title}“ ist eine ältere Revision; {newer} ist in der Bibliothek.</translation>
    </message>
    <message>
        <source>“{title}” has not been read yet. Compare it once it has.</source>
        <translation>„{title}“ ist noch nicht gelesen. Vergleichen Sie es danach.</translation>
    </message>
    <message>
        <source>… The whole answer does not fit on this sheet: see Groundwork or the manual.</source>
        <translation>… Die ganze Antwort passt nicht auf dieses Blatt: siehe Groundwork oder das Handbuch.</translation>
    </message>
    <message>
        <source>{stage}, round {n}</source>
        <translation>{stage}, Runde {n}</translation>
    </message>
    <message>
        <source>Longer bar: better match</source>
        <translation>Längerer Balken: passt besser</translation>
    </message>
    <message>
        <source>Finds pages by how they look</source>
        <translation>Findet Seiten nach ihrem Aussehen</translation>
    </message>
    <message>
        <source>Rereads the best passages for a question; English.</source>
        <translation>Liest die besten Textstellen zu einer Frage noch einmal; Englisch.</translation>
    </message>
    <message>
        <source>How manuals are added and read.</source>
        <translation>Wie Handbücher hinzugefügt und gelesen werden.</translation>
    </message>
    <message>
        <source>Not sure</source>
        <translation>Nicht sicher</translation>
    </message>
    <message>
        <source>Your feedback stays in this library and is used to measure and improve answers.</source>
        <translation>Ihre Rückmeldung bleibt in dieser Bibliothek und dient dazu, Antworten zu messen und zu verbessern.</translation>
    </message>
    <message>
        <source>You asked for this too.</source>
        <translation>Auch das haben Sie verlangt.</translation>
    </message>
    <message>
        <source>Larger buttons and rows, for gloves and touch screens.</source>
        <translation>Größere Schaltflächen und Zeilen, für Handschuhe und Touchscreens.</translation>
    </message>
    <message>
        <source>Leave out the general facts</source>
        <translation>Allgemeine Angaben weglassen</translation>
    </message>
    <message>
        <source>Likely: confirm on the page</source>
        <translation>Wahrscheinlich: auf der Seite prüfen</translation>
    </message>
    <message>
        <source>Listed the manuals</source>
        <translation>Handbücher aufgelistet</translation>
    </message>
    <message>
        <source>Longer questions, answered with a report.</source>
        <translation>Längere Fragen, die mit einem Bericht beantwortet werden.</translation>
    </message>
    <message>
        <source>Longest wait for the language model</source>
        <translation>Längste Wartezeit auf das Sprachmodell</translation>
    </message>
    <message>
        <source>No matching manual</source>
        <translation>Kein passendes Handbuch</translation>
    </message>
    <message>
        <source>Matching files or titles</source>
        <translation>Passende Dateien oder Titel</translation>
    </message>
    <message>
        <source>Models use none of their {budget}</source>
        <translation>Modelle belegen nichts von ihren {budget}</translation>
    </message>
    <message>
        <source>Models use {used} of {budget}</source>
        <translation>Modelle belegen {used} von {budget}</translation>
    </message>
    <message>
        <source>No conversations match “{text}”.</source>
        <translation>Keine Unterhaltung passt zu „{text}“.</translation>
    </message>
    <message>
        <source>No matching notes</source>
        <translation>Keine passenden Notizen</translation>
    </message>
    <message>
        <source>None: the manuals don&apos;t answer this</source>
        <translation>Keine: Die Handbücher beantworten das nicht</translation>
    </message>
    <message>
        <source>Not found in the manuals.</source>
        <translation>In den Handbüchern nicht gefunden.</translation>
    </message>
    <message>
        <source>Not found in the sources</source>
        <translation>In den Quellen nicht gefunden</translation>
    </message>
    <message>
        <source>Note (optional)</source>
        <translation>Anmerkung (freiwillig)</translation>
    </message>
    <message>
        <source>Note saved</source>
        <translation>Notiz gespeichert</translation>
    </message>
    <message>
        <source>Not answered: “{part}”</source>
        <translation>Nicht beantwortet: „{part}“</translation>
    </message>
    <message>
        <source>Relative to normal size.</source>
        <translation>Bezogen auf die übliche Größe.</translation>
    </message>
    <message>
        <source>Open beside</source>
        <translation>Daneben öffnen</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Open original</source>
        <translation>Original öffnen</translation>
    </message>
    <message>
        <source>Open research report</source>
        <translation>Recherchebericht öffnen</translation>
    </message>
    <message>
        <source>Ordinary text</source>
        <translation>Text in normaler Größe</translation>
    </message>
    <message>
        <source>Packs of manuals</source>
        <translation>Pakete mit Handbüchern</translation>
    </message>
    <message>
        <source>Packs of manuals…</source>
        <translation>Pakete mit Handbüchern …</translation>
    </message>
    <message>
        <source>Problems and where they are</source>
        <translation>Probleme und wo sie stehen</translation>
    </message>
    <message>
        <source>Quoted from the manuals; the language model is still at work</source>
        <translation>Aus den Handbüchern zitiert; das Sprachmodell arbeitet noch</translation>
    </message>
    <message>
        <source>Read a nameplate…</source>
        <translation>Typenschild lesen …</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Read again from the start</source>
        <translation>Von Anfang an neu lesen</translation>
    </message>
    <message>
        <source>Read answer aloud</source>
        <translation>Antwort vorlesen</translation>
    </message>
    <message>
        <source>Reading your note</source>
        <translation>Ihre Notiz wird gelesen</translation>
    </message>
    <message>
        <source>Reasoning saved to {name}.</source>
        <translation>Lösungsweg gespeichert in {name}.</translation>
    </message>
    <message>
        <source>Remove from library</source>
        <translation>Aus der Bibliothek entfernen</translation>
    </message>
    <message>
        <source>Rename or move…</source>
        <translation>Umbenennen oder verschieben …</translation>
    </message>
    <message>
        <source>Reset this pane</source>
        <translation>Diesen Bereich zurücksetzen</translation>
    </message>
    <message>
        <source>Round {n} of up to {m}</source>
        <translation>Runde {n} von höchstens {m}</translation>
    </message>
    <message>
        <source>Save as picture</source>
        <translation>Als Bild speichern</translation>
    </message>
    <message>
        <source>Save copy with highlights</source>
        <translation>Kopie mit Markierungen speichern</translation>
    </message>
    <message>
        <source>Save diagnostic bundle…</source>
        <translation>Diagnosepaket speichern …</translation>
    </message>
    <message>
        <source>Save job sheet</source>
        <translation>Arbeitsblatt speichern</translation>
    </message>
    <message>
        <source>Save {notes}</source>
        <translation>{notes} speichern</translation>
    </message>
    <message>
        <source>Saved as a wrong answer.</source>
        <translation>Als falsche Antwort gespeichert.</translation>
    </message>
    <message>
        <source>Saved as helpful.</source>
        <translation>Als hilfreich gespeichert.</translation>
    </message>
    <message>
        <source>Saved the job sheet to {pdf}.</source>
        <translation>Das Arbeitsblatt wurde unter {pdf} gespeichert.</translation>
    </message>
    <message>
        <source>Saved. Applies from the next question.</source>
        <translation>Gespeichert. Gilt ab der nächsten Frage.</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>Wird gespeichert</translation>
    </message>
    <message>
        <source>Search manuals, pages, words and actions, or ask</source>
        <translation>Handbücher, Seiten, Wörter und Befehle suchen oder fragen</translation>
    </message>
    <message>
        <source>Search only these manuals</source>
        <translation>Nur diese Handbücher durchsuchen</translation>
    </message>
    <message>
        <source>Search only this manual</source>
        <translation>Nur dieses Handbuch durchsuchen</translation>
    </message>
    <message>
        <source>Searched: {manuals}.</source>
        <translation>Durchsucht: {manuals}.</translation>
    </message>
    <message>
        <source>Searches everything in several rounds and flags weak sources.</source>
        <translation>Durchsucht alles in mehreren Runden und kennzeichnet schwache Quellen.</translation>
    </message>
    <message>
        <source>Searches in several rounds. Only makers&apos; manuals, standards, bulletins and procedures count.</source>
        <translation>Sucht in mehreren Runden. Nur Herstellerhandbücher, Normen, Mitteilungen und Verfahrensanweisungen zählen.</translation>
    </message>
    <message>
        <source>Searching your manuals</source>
        <translation>Ihre Handbücher werden durchsucht</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Shortening what was found</source>
        <translation>Das Gefundene wird gekürzt</translation>
    </message>
    <message>
        <source>Show the library</source>
        <translation>Bibliothek anzeigen</translation>
    </message>
    <message>
        <source>Show the whole question</source>
        <translation>Ganze Frage zeigen</translation>
    </message>
    <message>
        <source>Site and asset…</source>
        <translation>Standort und Anlage …</translation>
    </message>
    <message>
        <source>Site, asset, kind and author are filled in for you. Change them only if they are wrong.</source>
        <translation>Standort, Anlage, Art und Verfasser sind schon ausgefüllt. Ändern Sie sie nur, wenn sie falsch sind.</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Text kleiner</translation>
    </message>
    <message>
        <source>Hold to speak a question</source>
        <translation>Frage sprechen (gedrückt halten)</translation>
    </message>
    <message>
        <source>Stop answering</source>
        <translation>Antworten anhalten</translation>
    </message>
    <message>
        <source>Stop indexing</source>
        <translation>Indexierung anhalten</translation>
    </message>
    <message>
        <source>Stop watching</source>
        <translation>Nicht mehr beobachten</translation>
    </message>
    <message>
        <source>Stopped by you.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Stopped by you. Showing what was found so far.</source>
        <translation>Angehalten. Gezeigt wird, was bis dahin gefunden wurde.</translation>
    </message>
    <message>
        <source>Such as “shift lead”: what is known for role:shift-lead applies to you too.</source>
        <translation>Zum Beispiel „shift lead“: Was für role:shift-lead bekannt ist, gilt auch für Sie.</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Tags and trust…</source>
        <translation>Schlagwörter und Vertrauen …</translation>
    </message>
    <message>
        <source>That was already searched for; the answer comes from what was found.</source>
        <translation>Danach wurde schon gesucht; die Antwort stammt aus dem Gefundenen.</translation>
    </message>
    <message>
        <source>The job sheet is saved: {path}</source>
        <translation>Das Arbeitsblatt ist gespeichert: {path}</translation>
    </message>
    <message>
        <source>The manuals do not support most of what the language model wrote.</source>
        <translation>Die Handbücher belegen das meiste nicht, was das Sprachmodell geschrieben hat.</translation>
    </message>
    <message>
        <source>The options are actions, not meanings.</source>
        <translation>Die Auswahl nennt Handlungen, keine Bedeutungen.</translation>
    </message>
    <message>
        <source>The steps to an answer appear here.</source>
        <translation>Hier erscheinen die Schritte zu einer Antwort.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>There are no manuals in this library yet. Add PDF files or a folder, then ask again.</source>
        <translation>In dieser Bibliothek sind noch keine Handbücher. Fügen Sie PDF-Dateien oder einen Ordner hinzu und fragen Sie dann noch einmal.</translation>
    </message>
    <message>
        <source>This is not a model</source>
        <translation>Das ist kein Modell</translation>
    </message>
    <message>
        <source>This note has been deleted.</source>
        <translation>Diese Notiz wurde gelöscht.</translation>
    </message>
    <message>
        <source>Typical questions begin with</source>
        <translation>Typische Fragen beginnen mit</translation>
    </message>
    <message>
        <source>Up and Down to choose, Enter to open, Esc to close.</source>
        <translation>Auf und Ab zum Wählen, Enter zum Öffnen, Esc zum Schließen.</translation>
    </message>
    <message>
        <source>What a language model is told about it</source>
        <translation>Was einem Sprachmodell darüber gesagt wird</translation>
    </message>
    <message>
        <source>What answers use, and how long they may take.</source>
        <translation>Was Antworten verwenden und wie lange sie dauern dürfen.</translation>
    </message>
    <message>
        <source>What is recorded and kept, all of it on this computer.</source>
        <translation>Was aufgezeichnet und aufbewahrt wird, alles auf diesem Computer.</translation>
    </message>
    <message>
        <source>What the language model does</source>
        <translation>Was das Sprachmodell tut</translation>
    </message>
    <message>
        <source>Profile: {title}</source>
        <translation>Profil: {title}</translation>
    </message>
    <message>
        <source>What you work on unless you choose something else.</source>
        <translation>Woran Sie arbeiten, solange Sie nichts anderes wählen.</translation>
    </message>
    <message>
        <source>Where you are, unless you choose another place: its notes apply to you.</source>
        <translation>Wo Sie sind, solange Sie keinen anderen Ort wählen: Dessen Notizen gelten für Sie.</translation>
    </message>
    <message>
        <source>Which models answer, and how much memory they may use.</source>
        <translation>Welche Modelle antworten und wie viel Speicher sie belegen dürfen.</translation>
    </message>
    <message>
        <source>White pages are dimmed slightly while the window is dark.</source>
        <translation>Weiße Seiten werden etwas abgedunkelt, solange das Fenster dunkel ist.</translation>
    </message>
    <message>
        <source>Who asks, and how notes get into answers and prompts.</source>
        <translation>Wer fragt, und wie Notizen in Antworten und Prompts gelangen.</translation>
    </message>
    <message>
        <source>With &apos;auto&apos; the model is not asked for anything that takes longer. A quoted answer is always shown at once.</source>
        <translation>Mit „auto“ wird das Modell nach nichts gefragt, was länger dauert. Eine zitierte Antwort erscheint in jedem Fall sofort.</translation>
    </message>
    <message>
        <source>Words of this product</source>
        <translation>Wörter dieses Produkts</translation>
    </message>
    <message>
        <source>Writing the answer</source>
        <translation>Die Antwort wird geschrieben</translation>
    </message>
    <message>
        <source>Wrong password</source>
        <translation>Falsches Passwort</translation>
    </message>
    <message>
        <source>Wrong password.</source>
        <translation>Falsches Passwort.</translation>
    </message>
    <message>
        <source>Wrote a job sheet</source>
        <translation>Arbeitsblatt geschrieben</translation>
    </message>
    <message>
        <source>Your equipment</source>
        <translation>Ihre Anlage</translation>
    </message>
    <message>
        <source>Your manuals answer</source>
        <translation>Ihre Handbücher beantworten</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>Ihr Name</translation>
    </message>
    <message>
        <source>Your questions and answers stay here until you delete them.</source>
        <translation>Ihre Fragen und Antworten bleiben hier, bis Sie sie löschen.</translation>
    </message>
    <message>
        <source>Your role</source>
        <translation>Ihre Rolle</translation>
    </message>
    <message>
        <source>Your site</source>
        <translation>Ihr Standort</translation>
    </message>
    <message>
        <source>a job sheet</source>
        <translation>ein Arbeitsblatt</translation>
    </message>
    <message>
        <source>a site note gives a different value</source>
        <translation>eine Notiz des Standorts nennt einen anderen Wert</translation>
    </message>
    <message>
        <source>data of another size was announced</source>
        <translation>Daten von anderer Größe waren angekündigt</translation>
    </message>
    <message>
        <source>a text model is needed, but there is none.</source>
        <translation>Ein Textmodell wird gebraucht, es gibt keines.</translation>
    </message>
    <message>
        <source>an answer takes about {n} s</source>
        <translation>eine Antwort dauert etwa {n} s</translation>
    </message>
    <message>
        <source>answers back</source>
        <translation>Antworten zurück</translation>
    </message>
    <message>
        <source>as the answer</source>
        <translation>als Antwort</translation>
    </message>
    <message>
        <source>the model ended without saying why</source>
        <translation>das Modell hat aufgehört, ohne zu sagen, warum</translation>
    </message>
    <message>
        <source>the settings say to quote the manuals</source>
        <translation>den Einstellungen nach werden die Handbücher zitiert</translation>
    </message>
    <message>
        <source>by “{relation}”</source>
        <translation>über „{relation}“</translation>
    </message>
    <message>
        <source>no similar page</source>
        <translation>keine ähnliche Seite</translation>
    </message>
    <message>
        <source>nothing was written</source>
        <translation>es wurde nichts geschrieben</translation>
    </message>
    <message>
        <source>one passage stands out</source>
        <translation>eine Stelle hebt sich ab</translation>
    </message>
    <message>
        <source>read with the question, not even the best passage answers it</source>
        <translation>zusammen mit der Frage gelesen, beantwortet auch die beste Stelle sie nicht</translation>
    </message>
    <message>
        <source>read with the question, the best passage answers it</source>
        <translation>zusammen mit der Frage gelesen, beantwortet die beste Stelle sie</translation>
    </message>
    <message>
        <source>reads {read} and writes {written} tokens a second here</source>
        <translation>liest hier {read} und schreibt {written} Token je Sekunde</translation>
    </message>
    <message>
        <source>the language model needs about {n} seconds for an answer here</source>
        <translation>das Sprachmodell braucht hier etwa {n} Sekunden für eine Antwort</translation>
    </message>
    <message>
        <source>the manuals do not support most of what the language model wrote</source>
        <translation>die Handbücher belegen das meiste nicht, was das Sprachmodell geschrieben hat</translation>
    </message>
    <message>
        <source>the same as the previous answer; it does not mention {words}</source>
        <translation>dieselbe Antwort wie zuvor; {words} kommt darin nicht vor</translation>
    </message>
    <message>
        <source>page is lower in the search results</source>
        <translation>Seite steht weiter unten in den Suchergebnissen</translation>
    </message>
    <message>
        <source>page is high in the search results</source>
        <translation>Seite steht weit oben in den Suchergebnissen</translation>
    </message>
    <message>
        <source>the page of the best passage is high in the search results</source>
        <translation>die Seite der besten Stelle steht weit oben in den Suchergebnissen</translation>
    </message>
    <message>
        <source>the page of the best passage is lower in the search results</source>
        <translation>die Seite der besten Stelle steht weiter unten in den Suchergebnissen</translation>
    </message>
    <message>
        <source>the team&apos;s server</source>
        <translation>der Server des Teams</translation>
    </message>
    <message>
        <source>text around it fits the question</source>
        <translation>der Text darum herum passt zur Frage</translation>
    </message>
    <message>
        <source>text around it fits the question less</source>
        <translation>der Text darum herum passt weniger zur Frage</translation>
    </message>
    <message>
        <source>there are too few questions to learn from some and ask others</source>
        <translation>es sind zu wenige Fragen, um aus einigen zu lernen und andere zu stellen</translation>
    </message>
    <message>
        <source>there is no language model whose programs could be compiled</source>
        <translation>es gibt kein Sprachmodell, dessen Programme kompiliert werden könnten</translation>
    </message>
    <message>
        <source>torch, which comes with Groundwork on a Mac and with the extras &apos;colqwen&apos; and &apos;voice&apos; on Linux</source>
        <translation>torch, das auf einem Mac mit Groundwork kommt und unter Linux mit den Extras „colqwen“ und „voice“</translation>
    </message>
    <message>
        <source>what is still being read may answer; {reason}</source>
        <translation>was noch gelesen wird, antwortet vielleicht; {reason}</translation>
    </message>
    <message>
        <source>words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>write a job sheet</source>
        <translation>ein Arbeitsblatt schreiben</translation>
    </message>
    <message>
        <source>written under this site rule ({note})</source>
        <translation>nach dieser Regel des Standorts geschrieben ({note})</translation>
    </message>
    <message>
        <source>{caches} of it is cached from earlier questions. {rest}</source>
        <translation>{caches} davon sind aus früheren Fragen zwischengespeichert. {rest}</translation>
    </message>
    <message>
        <source>{dtype} is not a float type that can be widened</source>
        <translation>{dtype} ist kein Gleitkommatyp, der erweitert werden kann</translation>
    </message>
    <message>
        <source>{kind} (line {n})</source>
        <translation>{kind} (Zeile {n})</translation>
    </message>
    <message>
        <source>{n} items are new or changed. {m} were skipped or need checking:</source>
        <translation>{n} Einträge sind neu oder geändert. {m} wurden übergangen oder sollten geprüft werden:</translation>
    </message>
    <message>
        <source>{n} notes saved</source>
        <translation>{n} Notizen gespeichert</translation>
    </message>
    <message>
        <source>{path} was written by a trial version</source>
        <translation>{path} wurde von einer Vorabversion geschrieben</translation>
    </message>
    <message>
        <source>{some} of the {n} points of this section:</source>
        <translation>{some} der {n} Punkte dieses Abschnitts:</translation>
    </message>
    <message>
        <source>{target} already exists. Choose a new file or folder.</source>
        <translation>{target} gibt es schon. Nennen Sie eine neue Datei oder einen neuen Ordner.</translation>
    </message>
    <message>
        <source>{text} cannot be a model id: use up to 64 lower-case letters, digits, dots, hyphens and underscores, and begin with a letter or digit.</source>
        <translation>{text} kann nicht die Kennung eines Modells sein: Verwenden Sie bis zu 64 Kleinbuchstaben, Ziffern, Punkte, Bindestriche und Unterstriche, und beginnen Sie mit einem Buchstaben oder einer Ziffer.</translation>
    </message>
    <message>
        <source>{text}: nearly full</source>
        <translation>{text}: fast voll</translation>
    </message>
    <message>
        <source>{text}: stopping</source>
        <translation>{text}: wird angehalten</translation>
    </message>
    <message>
        <source>{text}: waiting</source>
        <translation>{text}: wartet</translation>
    </message>
    <message>
        <source>{title} (older revision, {newer} is here)</source>
        <translation>{title} (ältere Revision, {newer} ist da)</translation>
    </message>
    <message>
        <source>{title} ({mark})</source>
        <translation>{title} ({mark})</translation>
    </message>
    <message>
        <source>{title}: {size}{state}</source>
        <translation>{title}: {size}{state}</translation>
    </message>
    <message>
        <source>{told}; the latest {n} are shown</source>
        <translation>{told}; die neuesten {n} werden gezeigt</translation>
    </message>
    <message>
        <source>{url} is not a shared knowledge address. Available: {names}.</source>
        <translation>{url} ist keine Adresse von gemeinsamem Wissen. Es gibt: {names}.</translation>
    </message>
    <message>
        <source>{what} has {text} characters; at most {most_characters} can be kept. Add a longer text to the library as a document.</source>
        <translation>{what} hat {text} Zeichen; höchstens {most_characters} können gespeichert werden. Fügen Sie einen längeren Text der Bibliothek als Dokument hinzu.</translation>
    </message>
    <message>
        <source>{what} is empty.</source>
        <translation>{what} ist leer.</translation>
    </message>
    <message>
        <source>{what} seems to contain {secret}. Remove it: secrets are not kept in notes.</source>
        <translation>{what} scheint {secret} zu enthalten. Entfernen Sie es: Geheimnisse werden nicht in Notizen gespeichert.</translation>
    </message>
    <message>
        <source>{what}: now at no site.</source>
        <translation>{what}: jetzt an keinem Standort.</translation>
    </message>
    <message>
        <source>{what}: now at {place}.</source>
        <translation>{what}: jetzt am Ort {place}.</translation>
    </message>
    <message>
        <source>{who} Correct what is wrong, then save.</source>
        <translation>{who} Berichtigen Sie, was falsch ist, und speichern Sie dann.</translation>
    </message>
    <message>
        <source>{width} × {height} mm</source>
        <translation>{width} × {height} mm</translation>
    </message>
    <message>
        <source>“{name}” is not a model. Drop a model&apos;s folder, or a zip file with a model in it.</source>
        <translation>„{name}“ ist kein Modell. Ziehen Sie den Ordner eines Modells hierher oder eine ZIP-Datei mit einem Modell.</translation>
    </message>
    <message>
        <source>“{name}” could not be verified.</source>
        <translation>„{name}“ konnte nicht geprüft werden.</translation>
    </message>
    <message>
        <source>“{name}” has nothing new.</source>
        <translation>„{name}“ enthält nichts Neues.</translation>
    </message>
    <message>
        <source>“{name}” imported: {n} items are new or changed.</source>
        <translation>„{name}“ importiert: {n} Einträge sind neu oder geändert.</translation>
    </message>
    <message>
        <source>“{name}” is damaged: {damage} Remove it and import it again.</source>
        <translation>„{name}“ ist beschädigt: {damage} Entfernen Sie es und importieren Sie es erneut.</translation>
    </message>
    <message>
        <source>“{name}” is installed as {id}.</source>
        <translation>„{name}“ ist als {id} installiert.</translation>
    </message>
    <message>
        <source>“{name}” is locked. Enter its password:</source>
        <translation>„{name}“ ist gesperrt. Geben Sie das Passwort ein:</translation>
    </message>
    <message>
        <source>“{name}” was copied to {target}. On the other computer, drop that folder on the Models page.</source>
        <translation>„{name}“ wurde nach {target} kopiert. Legen Sie diesen Ordner auf dem anderen Computer auf der Seite „Modelle“ ab.</translation>
    </message>
    <message>
        <source>“{name}” was not copied.</source>
        <translation>„{name}“ wurde nicht kopiert.</translation>
    </message>
    <message>
        <source>“{name}” was not downloaded.</source>
        <translation>„{name}“ wurde nicht heruntergeladen.</translation>
    </message>
    <message>
        <source>“{name}” was not imported.</source>
        <translation>„{name}“ wurde nicht importiert.</translation>
    </message>
    <message>
        <source>“{name}” was only partly imported</source>
        <translation>„{name}“ wurde nur zum Teil importiert</translation>
    </message>
    <message>
        <source>“{name}”: there was nothing to do.</source>
        <translation>„{name}“: Es war nichts zu tun.</translation>
    </message>
    <message>
        <source>“{text}” does not appear on {place}.</source>
        <translation>„{text}“ kommt nicht vor auf {place}.</translation>
    </message>
    <message>
        <source>“{title}” cannot be removed now ({work}). Cancel that first, or wait.</source>
        <translation>„{title}“ kann jetzt nicht entfernt werden ({work}). Brechen Sie das zuerst ab, oder warten Sie.</translation>
    </message>
    <message>
        <source>“{title}” is already in the library.</source>
        <translation>„{title}“ ist schon in der Bibliothek.</translation>
    </message>
    <message>
        <source>“{title}” is busy right now. It will be unloaded as soon as it finishes; stop the question if you need the memory at once.</source>
        <translation>„{title}“ arbeitet gerade. Es wird entladen, sobald das fertig ist; halten Sie die Frage an, wenn Sie den Speicher sofort brauchen.</translation>
    </message>
    <message>
        <source>“{title}” is busy right now. Stop the question, or wait for the answer, then remove the model.</source>
        <translation>„{title}“ arbeitet gerade. Halten Sie die Frage an oder warten Sie auf die Antwort, dann entfernen Sie es.</translation>
    </message>
    <message>
        <source>“{title}” saved. Applies from the next question.</source>
        <translation>„{title}“ gespeichert. Gilt ab der nächsten Frage.</translation>
    </message>
    <message>
        <source>“{title}” was removed; {size} is free again.</source>
        <translation>„{title}“ wurde entfernt; {size} sind wieder frei.</translation>
    </message>
    <message>
        <source>Looked at the page pictures ({num_objects}): {summary}</source>
        <translation>Seitenbilder angesehen ({num_objects}): {summary}</translation>
    </message>
    <message>
        <source>Looked at the page pictures ({num_objects}): {summary} Not all: {failed}</source>
        <translation>Seitenbilder angesehen ({num_objects}): {summary} Nicht alle: {failed}</translation>
    </message>
    <message>
        <source>Search the text instead</source>
        <translation>Stattdessen den Text durchsuchen</translation>
    </message>
    <message>
        <source>No page pictures to look at</source>
        <translation>Keine Seitenbilder zum Ansehen</translation>
    </message>
    <message>
        <source>Shortened to fit</source>
        <translation>Gekürzt, damit es passt</translation>
    </message>
    <message>
        <source>Only 1 answer found.</source>
        <translation>Nur 1 Antwort gefunden.</translation>
    </message>
    <message>
        <source>Only {n} answers found.</source>
        <translation>Nur {n} Antworten gefunden.</translation>
    </message>
    <message>
        <source>The file is damaged or incomplete. Copy it again.</source>
        <translation>Die Datei ist beschädigt oder unvollständig. Kopieren Sie sie neu.</translation>
    </message>
    <message>
        <source>The embedding_text</source>
        <translation>Der Suchtext (embedding_text)</translation>
    </message>
    <message>
        <source>The author</source>
        <translation>Der Verfasser</translation>
    </message>
    <message>
        <source>The date</source>
        <translation>Das Datum</translation>
    </message>
    <message>
        <source>Or try fast_vector_search for text content.</source>
        <translation>Oder stattdessen den Text durchsuchen.</translation>
    </message>
</context>
</TS>
