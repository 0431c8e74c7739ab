DROP TABLE "lab_faults" CASCADE;
