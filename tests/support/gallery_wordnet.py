"""A small WordNet in which every statement of the gallery has an answer, for machines without the real one.

It is written as WN-LMF, which preserves synset ids, so the statements of the gallery run on it unchanged.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

# id | lemmas | relations (lexical ones with both words) | gloss | example
TEXT = """
00001740-n | entity
00001930-n | physical entity | hypernym 00001740-n
00002137-n | abstraction | hypernym 00001740-n
00015568-n | animal | hypernym 00001930-n
02077948-n | carnivore | hypernym 00015568-n
02085998-n | canine, canid | hypernym 02077948-n
01320032-n | domestic animal | hypernym 00015568-n
02086723-n | dog, domestic dog | hypernym 02085998-n, hypernym 01320032-n | a member of the genus Canis | the dog barked
02115987-n | poodle | hypernym 02086723-n
02087384-n | pooch | hypernym 02086723-n
02124272-n | cat | hypernym 02077948-n
10042764-n | dog | hypernym 00015568-n | someone morally reprehensible
00598687-a | dogging, persistent
02688440-a | canine | pertainym 02085998-n canine canine | of or relating to the family Canidae

03187746-n | device | hypernym 00001930-n
04345614-n | stringed instrument | hypernym 03187746-n
03472435-n | guitar | hypernym 04345614-n
03934354-n | piano | hypernym 04345614-n | a keyboard instrument
02961779-n | car, automobile, machine | hypernym 03187746-n | a motor vehicle with four wheels
02963937-n | car, gondola | hypernym 03187746-n
02764562-n | automobile engine | holo_part 02961779-n
03307883-n | exhaust | holo_part 02764562-n
03308455-n | exhaust pipe | holo_part 03307883-n
03346098-n | finger | holo_part 05572223-n
05572223-n | hand | holo_part 05571403-n
05571403-n | arm | holo_part 05223633-n
05223633-n | body
08455591-n | forest
13124818-n | tree | holo_member 08455591-n
07695187-n | bread
07696064-n | flour | holo_substance 07695187-n
02932748-n | axis
02767049-n | ax | hypernym 03187746-n

03290823-n | enclosure | hypernym 03187746-n, derivation 02716988-v enclosure enclose
02940098-n | cage, rib cage | hypernym 03290823-n
02846514-n | birdcage | hypernym 02940098-n
02716988-v | enclose | derivation 03290823-n enclose enclosure
04453410-n | toilet | hypernym 03187746-n
04025061-n | public toilet | hypernym 04453410-n
03638254-n | powder room | hypernym 04025061-n

02392628-v | educate
02393052-v | school | hypernym 02392628-v
10065521-n | educator | hypernym 00015568-n, derivation 02392628-v educator educate
10713754-n | teacher | hypernym 10065521-n

07034009-n | music | hypernym 00002137-n
07293357-n | Mozart | hypernym 07034009-n
09966711-n | composer | hypernym 00015568-n
11214345-n | Mozart | instance_hypernym 09966711-n, hypernym 10713754-n, hypernym 10065521-n, hypernym 00015568-n

01250274-a | hot | antonym 01254201-a hot cold, similar 01253778-a
01254201-a | cold | antonym 01250274-a cold hot
01253778-a | torrid | similar 01250274-a
01259404-a | hot | also 01250274-a
05034009-n | weight | hypernym 00002137-n, attribute 01186062-a
01186062-a | heavy | attribute 05034009-n | of great weight
00270215-a | light, avenged | participle 01155952-v avenged avenge
11495041-n | light | hypernym 00001930-n
01155952-v | avenge

00014735-v | sleep
00017024-v | snore | entails 00014735-v | breathe noisily
00056644-v | give birth | entails 00054002-v
00054002-v | conceive | entails 01431486-v
01431486-v | copulate | entails 00014735-v
00359085-v | die
01326622-v | kill | causes 00359085-v | cause to die
01908923-v | walk, be
01909000-v | amble | hypernym 01908923-v
00377673-v | burn | similar 00379335-v | undergo combustion
00379335-v | burn | similar 00377673-v | destroy by fire
02604760-v | be
00766418-v | operate, operator
10398033-n | operator
01831800-v | admire | derivation 07515980-n admire admiration
07515980-n | admiration | derivation 01831800-v admiration admire
07525235-n | wonder, admiration

08458195-n | law
03125429-n | court | domain_topic 08458195-n | a room in which a lawcourt sits
00483033-n | tennis
00568430-n | ace | domain_topic 00483033-n
08912703-n | Scotland
00259743-a | blae | domain_region 08912703-n blae Scotland
06864844-n | trademark
02789232-n | Band Aid | exemplifies 06864844-n Band_Aid trademark
07763031-n | citrus
07763583-n | orange | hypernym 07763031-n | round yellow to orange fruit
04972356-n | orange, orangeness | hypernym 00002137-n
09236472-n | bank | hypernym 00001930-n | sloping land
01590220-v | blow | | | blow on the soup to cool it down
"""
FORMS = {"goose": ["geese"], "be": ["am", "was"], "ax": ["axes"], "axis": ["axes"]}


class _Synset(NamedTuple):
    id: str
    lemmas: list[str]
    relations: list[list[str]]
    gloss: str
    example: str


def write_gallery(path: Path) -> Path:
    """Write the small WordNet as WN-LMF."""
    synsets = [_synset(line) for line in TEXT.splitlines() if line]
    entries: dict[tuple[str, str], list[_Synset]] = {}
    for each in synsets:
        for lemma in each.lemmas:
            entries.setdefault((lemma, each.id[-1]), []).append(each)
    parts = ['<LexicalResource><Lexicon id="en" label="Gallery" language="en" email="a@b.c" license="none" version="1">']
    parts += [_entry(lemma, pos, own) for (lemma, pos), own in entries.items()]
    for each in synsets:
        related = "".join(
            _relation("Synset", relation[0], f"en-{relation[1]}") for relation in each.relations if not relation[2:]
        )
        texts = "".join(
            f"<{tag}>{text}</{tag}>" for tag, text in (("Definition", each.gloss), ("Example", each.example)) if text
        )
        parts.append(f'<Synset id="en-{each.id}" partOfSpeech="{each.id[-1]}" lexfile="mini.all">{texts}{related}</Synset>')
    path.write_text("\n".join([*parts, "</Lexicon></LexicalResource>"]), encoding="utf-8")
    return path


def _synset(line: str) -> _Synset:
    id, lemmas, relations, gloss, example = [part.strip() for part in f"{line} | | |".split("|")][:5]
    return _Synset(id, lemmas.split(", "), [each.split() for each in relations.split(", ") if each], gloss, example)


def _entry(lemma: str, pos: str, synsets: list[_Synset]) -> str:
    forms = "".join(f"<Form writtenForm={quoteattr(form)}/>" for form in FORMS.get(lemma, []))
    senses = ""
    for each in synsets:
        related = "".join(
            _relation("Sense", kind, _key(words[1].replace("_", " "), target))
            for kind, target, *words in each.relations
            if words and words[0].replace("_", " ") == lemma
        )
        senses += f'<Sense id="{_key(lemma, each.id)}" synset="en-{each.id}"><Count>2</Count>{related}</Sense>'
    name = f'<Lemma writtenForm={quoteattr(lemma)} partOfSpeech="{pos}"/>'
    return f'<LexicalEntry id="e-{_key(lemma, pos)}">{name}{forms}{senses}</LexicalEntry>'


def _relation(ends: str, kind: str, target: str) -> str:
    return f'<{ends}Relation relType="{kind}" target="{target}"/>'


def _key(lemma: str, of: str) -> str:
    return f"{lemma.replace(' ', '_')}-{of}"
