<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Groundwork</name>
    <message numerus="yes">
        <source>%n manuals are being read again.</source>
        <translation>
            <numerusform>%n manual is being read again.</numerusform>
            <numerusform>%n manuals are being read again.</numerusform>
        </translation>
    </message>
</context>
</TS>
