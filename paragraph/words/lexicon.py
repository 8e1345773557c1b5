"""Short lists of English words that decide whether two questions are one: closed classes, and some opposites."""

from __future__ import annotations

from pathlib import Path


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _map(text: str) -> dict[str, str]:
    pairs = [pair.split("/") for pair in text.split()]
    return dict(pairs)


NEGATION = _words("not no never without none nobody nothing neither nor cannot")
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "anti", "mis", "de")

PREPOSITIONS = _words(
    "about after against among around at before behind below between by despite during for from in into like near "
    "of off on onto outside over per since through to toward towards under until upon via while with within without "
    "than as"
)

#: The person a sentence is about. I, you, we and one often ask the same question, so these do not count.
PERSON = _map(
    "he/he him/he his/he himself/he she/she her/she hers/she herself/she they/they them/they their/they "
    "theirs/they someone/they somebody/they people/they"
)

PAST = _words("was were did had")

COMPARISON = _words(
    "more less most least better best worse worst bigger biggest smaller smallest larger largest cheaper cheapest "
    "faster fastest slower slowest older oldest younger youngest higher highest lower lowest greater greatest easier "
    "easiest harder hardest only same different vs versus compare compared difference differences"
)

#: Words that open or follow a question of each kind.
QUESTION = {
    "how": _words("many much long old far often big tall high fast large soon deep heavy"),
    "why": _words("reason reasons cause causes caused"),
    "whether": _words(
        "is are was were am do does did can could will would has have had should shall may might must"
    ),
}

#: "What is the best way to …" asks how.
WAYS = _words("way ways method methods tips steps procedure process trick tricks")

FUNCTION_WORDS = (
    NEGATION
    | PREPOSITIONS
    | (PERSON.keys() - {"people"})
    | QUESTION["whether"]
    | _words(
        "i me my mine myself we us our ours you your yours yourself one a an the this that these those it its itself "
        "and or but if then so because there here be been being what which who whom whose how why when where any "
        "some every each all both such just also too very really actually ever even still already get gets got make "
        "makes made thing things kind exactly please anyone anything something everyone everything many much out up "
        "down again let doing having"
    )
)

_SHORT = (
    "can't/can/not cannot/can/not won't/will/not shan't/shall/not ain't/is/not cant/can/not dont/do/not "
    "doesnt/does/not didnt/did/not isnt/is/not wont/will/not whats/what/is i'm/i/am let's/let/us u/you ur/your"
)
CONTRACTIONS = {}
for _listed in _SHORT.split():
    _written, *_words_of = _listed.split("/")
    CONTRACTIONS[_written] = tuple(_words_of)
for _verb in _words("do does did is are was were has have had could would should might must need"):
    CONTRACTIONS[f"{_verb}n't"] = (_verb, "not")
for _pronoun in _words("i you we they he she it that there who what how where when why"):
    for _ending, _verb in _map("'ve/have 're/are 'll/will 'd/would 's/is").items():
        CONTRACTIONS[_pronoun + _ending] = (_pronoun, _verb)

#: "one" and "second" have other uses more often.
NUMBERS = _map(
    "zero/0 two/2 three/3 four/4 five/5 six/6 seven/7 eight/8 nine/9 ten/10 eleven/11 twelve/12 thirteen/13 "
    "fourteen/14 fifteen/15 sixteen/16 seventeen/17 eighteen/18 nineteen/19 twenty/20 thirty/30 forty/40 fifty/50 "
    "sixty/60 seventy/70 eighty/80 ninety/90 first/1 third/3 fourth/4 fifth/5 sixth/6 seventh/7 eighth/8 ninth/9 "
    "tenth/10 hundred/100 thousand/1000 lakh/100000 million/1000000 crore/10000000 billion/1000000000"
)


def _pairs(text: str) -> frozenset[frozenset[str]]:
    pairs = [frozenset(pair.split("/")) for pair in text.split()]
    return frozenset(pairs)


#: As stems (see `differences`), so that number and tense do not matter.
OPPOSITES = _pairs(
    "mal/femal boy/girl man/woman men/women husband/wif father/mother dad/mom son/daughter brother/sister "
    "boyfriend/girlfriend king/queen buy/sell gain/los gain/lose increas/decreas increas/reduc win/los start/stop "
    "start/end begin/end open/clos good/bad advantag/disadvantag pro/con old/new old/young hot/cold high/low "
    "long/short tall/short big/small larg/small fast/slow hard/soft hard/easy difficult/easy strong/weak rich/poor "
    "right/wrong left/right lov/hat love/hat lik/dislik tru/fals public/privat positiv/negativ import/export "
    "send/receiv giv/tak give/tak borrow/lend add/remov install/uninstall lock/unlock delet/recover delet/restor "
    "delet/creat upload/download black/whit day/night summer/winter morning/night north/south east/west earn/spend "
    "sav/spend hir/fir liv/die life/death similar/different similarity/differenc input/output internal/external "
    "maximum/minimum first/last early/lat front/back insid/outsid beginner/expert parent/child student/teacher "
    "employe/employer introvert/extrovert atheist/theist liberal/conservativ democrat/republican heaven/hell "
    "war/peac caus/effect cause/effect"
)

#: Ends of stems: two stems that differ in these alone are forms of one word ("india", "indian"; "reader", "reading").
ENDINGS = _words(
    "a ab abl ag al an anc ancy ant at enc ency ent er es est i ial ian ib ibl ic ical ics if ing ion ious ism ist "
    "istry ity iv iz ly n or ous ur y"
) | {""}

#: Stems of words and names that are one slip away from another but no form of it: two of them are two words, and
#: neither is a misspelling of the other. `benchmarks.slips` makes the file, whose head names the source.
_lines = Path(__file__).with_name("known.txt").read_text(encoding="utf-8").splitlines()
KNOWN = _words(" ".join(line for line in _lines if not line.startswith("#")))
