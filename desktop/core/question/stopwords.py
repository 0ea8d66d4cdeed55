"""Words of a question that say nothing about what is asked for (English, German)."""

from __future__ import annotations

_ENGLISH = """
a about after again all also am an and any are as at be because been before being both but by can
could did do does doing done down during each either else ever every few for from further get gets
give given go goes got had has have having he her here hers him his how i if in into is it its
itself just know let like made make many may me might mine more most much must my need needed
needs no nor of off often on once one only onto or other our out over own please same see seen
shall she should so some such tell than that the their them then there these they this those
through to too under until up upon us use used uses using want was we were what when where whether
which while who whom whose why will with within without would yes yet you your happen happens
manual manuals according
"""
_GERMAN = """
aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei damit
dann das dass dein deine dem den denn der deren des dessen die dies diese diesem diesen dieser
dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euer eure für gegen
gibt haben habe hat hatte hier hin ich ihm ihn ihr ihre im in indem ins ist ja jede jeder jedes
kann kein keine können man mein meine mich mir mit muss müssen nach nicht noch nun nur ob oder ohne
sehr seid sein seine sich sie sind so soll sollte sowie um und uns unser unter vom von vor wann war
waren warum was welche welchem welchen welcher welches wenn wer werde werden wie wieder wieso wird
wo wurde wurden zu zum zur zwar zwischen über
"""
STOPWORDS = frozenset(word.replace("ß", "ss") for word in (_ENGLISH + _GERMAN).split())
ENGLISH_ONLY = frozenset(_ENGLISH.split()) - frozenset(_GERMAN.split())
GERMAN_ONLY = frozenset(word.replace("ß", "ss") for word in _GERMAN.split()) - frozenset(
    _ENGLISH.split()
)
"""Which of the two languages a text is in: words such as "was" and "die" are left out."""
